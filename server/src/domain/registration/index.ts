export { type CreatedRegistration, type CreateRegistrationDeps, createRegistration } from "./create-registration.ts";
export { hasRegistrationToken } from "./has-registration-token.ts";
export { holdManaged, isTokenFounded, registrarPermission } from "./hold-managed.ts";
export { findPresentClient, holdPresentClient, maySendResponseTo, type PresentClient } from "./present-client.ts";
export { putDocumentClient } from "./put-document-client.ts";
export { type RefreshOutcome, refreshSamlMetadata } from "./refresh-saml-metadata.ts";
export { findRegistration } from "./registration.store.ts";
export type { InertMetadata, Registration } from "./registration.ts";
export { forgetRegistrationProject } from "./registration-project.store.ts";
export { openRegistrationToken } from "./registration-token.ts";
export { removeRegistration } from "./remove-registration.ts";
export { RegistrationOff } from "./require-registration.ts";
export { revokeRegistrationToken } from "./revoke-registration-token.ts";
export {
  isIdle,
  isUnused,
  listExpiredUnused,
  listIdle,
  listInstancesOfStrangers,
  markUsed,
  noteUse,
  releaseUnpaid,
} from "./strangers-registration.store.ts";
export { updateApplication } from "./update-application.ts";
export { updateRegistration } from "./update-registration.ts";
export { type SamlApplicationUpdate, updateSamlApplication } from "./update-saml-application.ts";
