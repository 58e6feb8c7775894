export { isProtocolClaim } from "./claim-name.ts";
export { fapiCodeLifetimeSeconds, isFapiAlgorithm } from "./client-profile.ts";
export { changeOidcConfiguration, completeOidcConfiguration } from "./complete-configuration.ts";
export { findComplianceProblems } from "./find-compliance-problems.ts";
export { listAllowedOrigins } from "./list-allowed-origins.ts";
export { matchPostLogoutRedirectUri, matchRedirectUri, type RedirectUri } from "./match-redirect-uri.ts";
export {
  type AssertionAudience,
  type AuthMethod,
  type ClientProfile,
  defaultOidcConfiguration,
  type GrantType,
  grantTypes,
  type IdTokenAlgorithm,
  idTokenAlgorithms,
  type LoginVersion,
  type OidcApplicationType,
  type OidcConfiguration,
  type ResponseType,
  responseTypes,
} from "./oidc-configuration.ts";
export { isLoopbackUri, parseUri, staysOnDevice } from "./uri.ts";
