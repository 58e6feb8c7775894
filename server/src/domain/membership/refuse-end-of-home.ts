import { Fault } from "../../base/fault.ts";
import { requireCaller } from "../../call/index.ts";
import type { Tx } from "../../database/index.ts";
import { holdInstance, mayAppoint, type ResolvedAdministratorScope } from "../administrator-access/index.ts";
import { listInstanceRolesAtHome } from "./membership.store.ts";
import { refuseLastOwner } from "./refuse-last-owner.ts";

/**
 * Step: refuses to deactivate or delete an organization to which administrators of the instance belong, unless the
 * caller holds at least their permissions, as for each of their accounts. The owner of an organization must not lock
 * administrators of the instance out. Refuses every caller if the only owners of the instance belong to it.
 */
export async function refuseEndOfHome(tx: Tx, organizationId: string): Promise<void> {
  // Locked, so that no user of the organization is appointed meanwhile.
  await holdInstance(tx);
  const held = await listInstanceRolesAtHome(tx, organizationId);
  if (held.length === 0) return;
  const { access } = requireCaller(tx.call);
  const { instanceId } = tx;
  const scope: ResolvedAdministratorScope = {
    level: "instance",
    resourceId: instanceId,
    ownerId: instanceId,
    permissionScopes: [{}],
  };
  if (!held.every(({ role }) => mayAppoint(access, role, scope))) {
    throw new Fault("permission_denied", "organization.administers_instance", { field: "organizationId" });
  }
  const owners = held.filter(({ role }) => role === "IAM_OWNER").map(({ userId }) => userId);
  if (owners.length > 0) await refuseLastOwner(tx, owners);
}
