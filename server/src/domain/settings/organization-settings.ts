import { authorize, type Call, requirePermission } from "../../call/index.ts";
import type { Database, List, Tx } from "../../database/index.ts";
import { holdOrganization, recordOrganizationEvent } from "../organization/index.ts";
import {
  deleteOrganizationSettingsRow,
  findOrganizationSettings,
  listOrganizationSettingsRows,
  type OrganizationSettings,
  type OrganizationSettingsSearch,
  putOrganizationSettings,
} from "./organization-settings.store.ts";

/** Sets the given members for an organization and leaves the rest. Values that are already set change nothing. */
export function setOrganizationSettings(
  deps: { readonly database: Database },
  call: Call,
  input: { readonly organizationId: string; readonly isUsernameScoped?: boolean | undefined },
): Promise<{ readonly changedAt: number }> {
  return deps.database.change(call, async (tx) => {
    const { organizationId } = input;
    await holdAuthorized(tx, organizationId, "write");
    const stored = await findOrganizationSettings(tx, tx.instanceId, organizationId);
    const isUsernameScoped = input.isUsernameScoped ?? stored?.isUsernameScoped ?? false;
    if (await putOrganizationSettings(tx, { organizationId, isUsernameScoped })) {
      await recordOrganizationEvent(tx, organizationId, {
        type: "organization.settings.set",
        payload: { isUsernameScoped },
      });
      return { changedAt: tx.now };
    }
    return { changedAt: stored?.changedAt ?? tx.now };
  });
}

/** Lets an organization follow the instance again. Returns no instant when it already does. */
export function deleteOrganizationSettings(
  deps: { readonly database: Database },
  call: Call,
  { organizationId }: { readonly organizationId: string },
): Promise<{ readonly deletedAt?: number }> {
  return deps.database.change(call, async (tx) => {
    await holdAuthorized(tx, organizationId, "delete");
    if (!(await deleteOrganizationSettingsRow(tx, organizationId))) return {};
    await recordOrganizationEvent(tx, organizationId, { type: "organization.settings.reset" });
    return { deletedAt: tx.now };
  });
}

/** Lists the organizations that have settings of this kind, for administrators of the instance. */
export function listOrganizationSettings(
  deps: { readonly database: Database },
  call: Call,
  search: OrganizationSettingsSearch,
): Promise<List<OrganizationSettings>> {
  requirePermission(call, "iam.policy.read", {});
  return listOrganizationSettingsRows(deps.database.read, call.instanceId, search);
}

async function holdAuthorized(tx: Tx, organizationId: string, verb: "write" | "delete"): Promise<void> {
  requirePermission(tx.call, `iam.policy.${verb}`, {});
  authorize(tx.call, await holdOrganization(tx, organizationId), {
    permission: `iam.policy.${verb}`,
    readPermission: "org.read",
    absent: "organization.not_found",
  });
}
