import { Fault } from "../../base/fault.ts";
import { requireCaller, withoutLoginClient } from "../../call/index.ts";
import type { Tx } from "../../database/index.ts";
import { isDeactivatedByInstance } from "../organization/index.ts";

type DeletePermission =
  | "user.delete"
  | "project.delete"
  | "project.app.delete"
  | "group.delete"
  | "org.idp.delete"
  | "org.action.delete";

/**
 * Step: refuses to delete anything in an organization that an administrator of the instance deactivated, except by
 * those who hold the permission in the whole instance. Its owners, who may be at home elsewhere, could otherwise
 * remove, one by one, what the instance wants to investigate.
 */
export async function refuseLeftToInstance(
  tx: Tx,
  organizationId: string,
  permission: DeletePermission,
): Promise<void> {
  if (withoutLoginClient(requireCaller(tx.call).access).allows(permission, {})) return;
  if (!(await isDeactivatedByInstance(tx, organizationId))) return;
  throw new Fault("permission_denied", "permission.missing", { values: { permission } });
}
