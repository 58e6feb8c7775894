import { type Call, createAccess, requireCaller } from "../../call/index.ts";
import type { Database, Reader } from "../../database/index.ts";
import { loadAccess } from "../membership/index.ts";
import { deleteUser } from "./delete-user.ts";

const permission = "user.self.delete";

/** Whether a user may delete himself: a role of his says so. */
export async function mayDeleteSelf(
  reader: Reader,
  instanceId: string,
  { userId, organizationId }: { readonly userId: string; readonly organizationId: string },
): Promise<boolean> {
  return (await loadAccess(reader, instanceId, userId)).allows(permission, { organizationId });
}

/**
 * Deletes the caller, who acts as a person without any permission: of what his roles give him nothing is used but that he may delete himself. Refused
 * where they do not.
 */
export async function deleteOwnUser(deps: { readonly database: Database }, call: Call): Promise<void> {
  const caller = requireCaller(call);
  const { userId, organizationId } = caller;
  const isAllowed = await mayDeleteSelf(deps.database.read, call.instanceId, { userId, organizationId });
  const permissions = new Set(isAllowed ? [permission] : []);
  const access = createAccess([{ level: "organization", resourceId: organizationId, permissions }]);
  await deleteUser(deps, { ...call, caller: { ...caller, access } }, { userId });
}
