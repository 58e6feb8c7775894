import type { Brand } from "../../base/brand.ts";
import type { OidcConfiguration } from "./oidc-configuration.ts";
import { type AgreedUri, isLoopback, isWeb, parseUri } from "./uri.ts";
import { matchesPattern } from "./uri-pattern.ts";

/** A URI that the application registered for this use: the browser may be sent there. */
export type RedirectUri = Brand<string, "RedirectUri">;

type Rules = Pick<OidcConfiguration, "applicationType" | "isDevelopmentMode">;

/**
 * Proves that a `redirect_uri` belongs to the application (RFC 6749 §3.1.2.3, RFC 9700 §2.1, RFC 8252 §7). The response
 * type, when it is known already, decides whether http is safe. Undefined: show an error page, never redirect.
 */
export function matchRedirectUri(
  configuration: Rules & Pick<OidcConfiguration, "redirectUris">,
  uri: string,
  responseType?: string,
): RedirectUri | undefined {
  const parsed = parseUri(uri);
  if (parsed === undefined || !isAllowed(configuration, parsed, responseType ?? "code")) return undefined;
  return isRegistered(configuration, configuration.redirectUris, uri, parsed) ? (uri as RedirectUri) : undefined;
}

/**
 * Proves that a `post_logout_redirect_uri` belongs to the application (OpenID Connect RP-Initiated Logout §3). The
 * browser is sent to no application that is deactivated.
 */
export function matchPostLogoutRedirectUri(
  client: Rules & Pick<OidcConfiguration, "postLogoutRedirectUris"> & { readonly isActive: boolean },
  uri: string,
): RedirectUri | undefined {
  const parsed = parseUri(uri);
  if (parsed === undefined || !client.isActive) return undefined;
  return isRegistered(client, client.postLogoutRedirectUris, uri, parsed) ? (uri as RedirectUri) : undefined;
}

/** Whether the scheme of the URI carries a code or a token safely to this type of application. */
function isAllowed(configuration: Rules, uri: AgreedUri, responseType: string): boolean {
  const { applicationType, isDevelopmentMode } = configuration;
  if (uri.scheme === "https") return true;
  switch (applicationType) {
    case "web":
      // RFC 9700 §2.6: a network must not carry a code in the clear. The user's own machine is not a network.
      return uri.scheme === "http" && (isDevelopmentMode || (responseType === "code" && isLoopback(uri)));
    case "user_agent":
      return uri.scheme === "http" && isDevelopmentMode;
    case "native":
      return !isWeb(uri) || isDevelopmentMode || isLoopback(uri);
    default:
      return applicationType satisfies never;
  }
}

function isRegistered(configuration: Rules, registered: readonly string[], uri: string, parsed: AgreedUri): boolean {
  if (registered.includes(uri)) return true;
  if (configuration.applicationType === "native" && isLoopback(parsed)) {
    const wanted = withoutPort(uri);
    if (registered.some((each) => withoutPort(each) === wanted)) return true;
  }
  return configuration.isDevelopmentMode && matchesPattern(registered, uri);
}

// RFC 8252 §7.3: the port of a loopback URI is chosen by the system when the application starts. Nothing else may
// differ (RFC 9700 §2.1), not even `localhost` from `127.0.0.1`.
const withoutPort = (uri: string): string => uri.replace(/^(https?:\/\/(?:\[[^\]]*\]|[^/?:]*)):\d+/, "$1");
