export { findApplication, holdApplication } from "./application.store.ts";
export { type Application, applicationAggregate } from "./application.ts";
export { listApplicationsOfProject } from "./application-of-project.store.ts";
export { type ApplicationReference, findApplicationToDelete } from "./authorize-application.ts";
export { changeApplicationState } from "./change-application-state.ts";
export { isProtocolClaim } from "./claim-name.ts";
export { isAudienceTaken } from "./client.store.ts";
export { type Client, listVerificationKeys } from "./client.ts";
export { type ClientDirectory, createClientDirectory } from "./client-directory.ts";
export { fapiCodeLifetimeSeconds, isFapiAlgorithm } from "./client-profile.ts";
export { changeOidcConfiguration, completeOidcConfiguration } from "./complete-configuration.ts";
export { createApplication, type NewApplication } from "./create-application.ts";
export { createApplicationInProject } from "./create-application-in-project.ts";
export { createApplicationKey } from "./create-application-key.ts";
export { findComplianceProblems } from "./find-compliance-problems.ts";
export { generateClientSecret } from "./generate-client-secret.ts";
export { getApplication } from "./get-application.ts";
export { giveSecret } from "./give-secret.ts";
export { listApplications } from "./list-applications.ts";
export { matchPostLogoutRedirectUri, matchRedirectUri, type RedirectUri } from "./match-redirect-uri.ts";
export { listOidcApplications, type OidcApplication } from "./oidc-application-list.store.ts";
export {
  defaultOidcConfiguration,
  type GrantType,
  grantTypes,
  type IdTokenAlgorithm,
  idTokenAlgorithms,
  type OidcConfiguration,
  type ResponseType,
  responseTypes,
} from "./oidc-configuration.ts";
export { removeApplication } from "./remove-application.ts";
export { changeApplication, updateApplication } from "./update-application.ts";
export { isLoopbackUri, parseUri, staysOnDevice } from "./uri.ts";
