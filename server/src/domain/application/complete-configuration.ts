import { checkOidcConfiguration } from "./check-oidc-configuration.ts";
import { defaultOidcConfiguration, type OidcConfiguration } from "./oidc-configuration.ts";

/** A new configuration: what is not given has its default, which for a client that says nothing is the code flow (RFC 7591 §2). */
export function completeOidcConfiguration(given: Partial<OidcConfiguration>): OidcConfiguration {
  return changeOidcConfiguration(
    { ...defaultOidcConfiguration, responseTypes: ["code"], grantTypes: ["authorization_code"] },
    given,
  );
}

/** A configuration with some fields replaced. Refuses what `checkOidcConfiguration` refuses. */
export function changeOidcConfiguration(
  current: OidcConfiguration,
  given: Partial<OidcConfiguration>,
): OidcConfiguration {
  const merged = { ...current, ...given };
  const configuration = {
    ...merged,
    redirectUris: tidy(merged.redirectUris),
    postLogoutRedirectUris: tidy(merged.postLogoutRedirectUris),
    additionalOrigins: tidy(merged.additionalOrigins),
    responseTypes: [...new Set(merged.responseTypes)],
    grantTypes: [...new Set(merged.grantTypes)],
  };
  checkOidcConfiguration(configuration);
  return configuration;
}

/** Without white space around and without repetitions; the order stays. */
function tidy(texts: readonly string[]): string[] {
  return [...new Set(texts.map((text) => text.trim()))];
}
