export { type Access, createAccess, noAccess, type Position, type Reach, type Scope } from "./access.ts";
export {
  type Authorization,
  authorize,
  authorizeDeletion,
  requireCaller,
  requireOrganization,
  requirePermission,
} from "./authorize.ts";
export type { Call, Caller } from "./call.ts";
