export { findApplication, holdApplication } from "./application.store.ts";
export {
  type ApiConfiguration,
  type Application,
  type ApplicationKind,
  type ApplicationState,
  applicationAggregate,
} from "./application.ts";
export type { ApplicationKey } from "./application-key.ts";
export type { ApplicationKeyColumn, ApplicationKeyFilter } from "./application-key-list.store.ts";
export type { ApplicationColumn, ApplicationFilter } from "./application-list.store.ts";
export { listApplicationsOfProject } from "./application-of-project.store.ts";
export { type ApplicationReference, findApplicationToDelete } from "./authorize-application.ts";
export { changeApplicationState } from "./change-application-state.ts";
export { type Client, type ClientKey, listVerificationKeys } from "./client.ts";
export { type ClientDirectory, createClientDirectory } from "./client-directory.ts";
export { changeOidcConfiguration, completeOidcConfiguration } from "./complete-configuration.ts";
export {
  type CreateApplicationDeps,
  type CreatedApplication,
  createApplication,
  type NewApplication,
} from "./create-application.ts";
export { createApplicationInProject } from "./create-application-in-project.ts";
export { type CreatedApplicationKey, createApplicationKey, type NewApplicationKey } from "./create-application-key.ts";
export { deleteApplicationKey } from "./delete-application-key.ts";
export { type Compliance, findComplianceProblems } from "./find-compliance-problems.ts";
export { generateClientSecret } from "./generate-client-secret.ts";
export { getApplication } from "./get-application.ts";
export { getApplicationKey, listApplicationKeys } from "./list-application-keys.ts";
export { listApplications } from "./list-applications.ts";
export { matchPostLogoutRedirectUri, matchRedirectUri, type RedirectUri } from "./match-redirect-uri.ts";
export {
  type AuthMethod,
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
export { removeApplication } from "./remove-application.ts";
export { type ApplicationUpdate, changeApplication, updateApplication } from "./update-application.ts";
export { staysOnDevice } from "./uri.ts";
