import { checkOidcConfiguration } from "./check-oidc-configuration.ts";
import { keepProfile } from "./client-profile.ts";
import { defaultOidcConfiguration, type OidcConfiguration } from "./oidc-configuration.ts";

/** Completes a new configuration with defaults. A client that states nothing gets the code flow (RFC 7591 §2). */
export function completeOidcConfiguration(given: Partial<OidcConfiguration>): OidcConfiguration {
  return changeOidcConfiguration(
    { ...defaultOidcConfiguration, responseTypes: ["code"], grantTypes: ["authorization_code"] },
    given,
  );
}

/** Replaces some fields of a configuration. Rejects what `checkOidcConfiguration` rejects. */
export function changeOidcConfiguration(
  current: OidcConfiguration,
  given: Partial<OidcConfiguration>,
): OidcConfiguration {
  const merged = { ...current, ...given };
  const configuration = keepProfile({
    ...merged,
    redirectUris: tidy(merged.redirectUris),
    postLogoutRedirectUris: tidy(merged.postLogoutRedirectUris),
    additionalOrigins: tidy(merged.additionalOrigins),
    responseTypes: [...new Set(merged.responseTypes)],
    grantTypes: [...new Set(merged.grantTypes)],
  });
  checkOidcConfiguration(configuration, current);
  return configuration;
}

/** Trims white space and removes duplicates; the order stays. */
function tidy(texts: readonly string[]): string[] {
  return [...new Set(texts.map((text) => text.trim()))];
}
