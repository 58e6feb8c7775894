export {
  type CreatedRegistration,
  type CreateRegistrationDeps,
  createRegistration,
  type NewRegistration,
} from "./create-registration.ts";
export { holdRegistrationProject } from "./hold-registration-project.ts";
export { type DocumentClient, putDocumentClient } from "./put-document-client.ts";
export { findRegistration, type ManagedRegistration } from "./registration.store.ts";
export type { InertMetadata, Registration, RegistrationKind } from "./registration.ts";
export { forgetRegistrationProject } from "./registration-project.store.ts";
export type { RegistrationQuota } from "./registration-quota.ts";
export { openRegistrationToken } from "./registration-token.ts";
export { removeRegistration } from "./remove-registration.ts";
export { isUnused, listExpiredUnused, markUsed } from "./unused-registration.store.ts";
export { type RegistrationUpdate, type UpdatedRegistration, updateRegistration } from "./update-registration.ts";
