export { type CreateImpersonationDeps, createImpersonation } from "./create-impersonation.ts";
export { endImpersonation, endImpersonationHere } from "./end-impersonation.ts";
export { findImpersonationHere, findOpenImpersonation, type ImpersonationHere } from "./find-open-impersonation.ts";
export { deleteImpersonationsOfUsers, formerImpersonations } from "./impersonation.store.ts";
export type { Impersonation } from "./impersonation.ts";
