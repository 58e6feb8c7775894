export { findApplication, holdApplication } from "./application.store.ts";
export {
  type ApiConfiguration,
  type Application,
  type ApplicationKind,
  type ApplicationState,
  applicationAbsence,
  applicationAggregate,
  type OidcApplication,
  type SamlApplication,
} from "./application.ts";
export type { ApplicationKey } from "./application-key.ts";
export type { ApplicationKeyColumn, ApplicationKeyFilter } from "./application-key-list.store.ts";
export type { ApplicationColumn, ApplicationFilter } from "./application-list.store.ts";
export { listApplicationsOfProject } from "./application-of-project.store.ts";
export { type ApplicationReference, authorizeApplication, findApplicationToDelete } from "./authorize-application.ts";
export { listBuiltInApplicationIds } from "./built-in-application.store.ts";
export { builtInNames, type CommandLineUse, consolePaths } from "./built-in-application.ts";
export { type ApplicationUpdate, changeApplication } from "./change-application.ts";
export { changeApplicationState } from "./change-application-state.ts";
export { findPayersOfClients, findProjectsOfClients } from "./client.store.ts";
export { type Client, isOfStranger, listVerificationKeys } from "./client.ts";
export {
  type ClientDirectory,
  createClientDirectory,
  findActiveClient,
  findPresentTarget,
} from "./client-directory.ts";
export {
  type CreateApplicationDeps,
  type CreatedApplication,
  createApplication,
  type NewApplication,
} from "./create-application.ts";
export { createApplicationInProject } from "./create-application-in-project.ts";
export { type CreateApplicationKeyDeps, createApplicationKey } from "./create-application-key.ts";
export { createSamlApplication, type NewSamlApplication } from "./create-saml-application.ts";
export { deleteApplicationKey } from "./delete-application-key.ts";
export { acceptDocumentId, isDocumentId } from "./document-id.ts";
export { etagOfApplication, refuseUnexpected } from "./expect-application.ts";
export { generateClientSecret } from "./generate-client-secret.ts";
export { getApplication } from "./get-application.ts";
export { giveSecret } from "./give-secret.ts";
export { getApplicationKey, listApplicationKeys } from "./list-application-keys.ts";
export { listApplications } from "./list-applications.ts";
export { type ListedOidcApplication, listOidcApplications } from "./oidc-application-list.store.ts";
export { openBuiltIn } from "./open-built-in.ts";
export { removeApplication } from "./remove-application.ts";
export { type DuePartner, findEntity, listDuePartners, moveRefresh } from "./saml-partner.store.ts";
