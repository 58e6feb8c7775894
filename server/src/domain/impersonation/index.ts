export { type CreateImpersonationDeps, createImpersonation } from "./create-impersonation.ts";
export { endImpersonation, endImpersonationHere, endImpersonationsAt } from "./end-impersonation.ts";
export {
  findImpersonationHere,
  findOpenImpersonation,
  findUpheldImpersonation,
  type ImpersonationHere,
} from "./find-open-impersonation.ts";
export { deleteImpersonationsOfUsers, formerImpersonations } from "./impersonation.store.ts";
export type { Impersonation } from "./impersonation.ts";
