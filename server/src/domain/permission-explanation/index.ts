export { explainPermission, isPermission } from "./explain-permission.ts";
export { explainRole } from "./explain-role.ts";
export type { Explanation, PermissionPath, RolesOnResource } from "./explanation.ts";
