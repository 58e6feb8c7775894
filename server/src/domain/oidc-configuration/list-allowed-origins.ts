import type { OidcConfiguration } from "./oidc-configuration.ts";
import { isWeb, parseUri } from "./uri.ts";

/**
 * Lists the origins from which the application may call in a browser: those of its redirect URIs and the additional
 * ones.
 */
export function listAllowedOrigins(
  configuration: Pick<OidcConfiguration, "redirectUris" | "additionalOrigins">,
): string[] {
  const ofRedirects = configuration.redirectUris.flatMap((text) => {
    const uri = parseUri(text);
    return uri !== undefined && isWeb(uri) ? [new URL(text).origin] : [];
  });
  return [...new Set([...ofRedirects, ...configuration.additionalOrigins])];
}
