import type { OidcConfiguration } from "../oidc-configuration/index.ts";

/** The fields that a client decides each time that it describes itself; its administrator decides all others. */
export function registeredFields(configuration: OidcConfiguration): Partial<OidcConfiguration> {
  const { redirectUris, postLogoutRedirectUris, responseTypes, grantTypes, applicationType, authMethod } =
    configuration;
  const { idTokenAlgorithm, userinfoAlgorithm, requestUris, backChannelLogoutUri, initiateLoginUri, jwks, jwksUri } =
    configuration;
  return {
    redirectUris,
    postLogoutRedirectUris,
    responseTypes,
    grantTypes,
    applicationType,
    authMethod,
    idTokenAlgorithm,
    userinfoAlgorithm,
    requestUris,
    backChannelLogoutUri,
    initiateLoginUri,
    jwks,
    jwksUri,
  };
}

/**
 * Returns the restrictions that a description names. A client may restrict itself further at any time; only its
 * administrator lifts a restriction, because it may be the administrator's.
 */
export function namedRestrictions(configuration: OidcConfiguration): Partial<OidcConfiguration> {
  const { isPushRequired, isDpopRequired, isPkceRequired, isRequestObjectRequired, profile } = configuration;
  return {
    ...(isPushRequired && { isPushRequired }),
    ...(isDpopRequired && { isDpopRequired }),
    ...(isPkceRequired && { isPkceRequired }),
    ...(isRequestObjectRequired && { isRequestObjectRequired }),
    ...(configuration.assertionAudience === "issuer" && { assertionAudience: "issuer" }),
    ...(profile !== "" && { profile }),
  };
}
