import { type Call, createAccess, requireCaller } from "../../call/index.ts";
import type { Database, Reader } from "../../database/index.ts";
import { loadAccess } from "../administrator-access/index.ts";
import { deleteUser } from "./delete-user.ts";

const permission = "user.self.delete";

/** Whether users may delete themselves: one of their roles must include the permission. */
export async function mayDeleteSelf(
  reader: Reader,
  instanceId: string,
  { userId, organizationId }: { readonly userId: string; readonly organizationId: string },
): Promise<boolean> {
  return (await loadAccess(reader, instanceId, userId)).allows(permission, { organizationId });
}

/**
 * Deletes the caller. The deletion runs with no permission but this one, whatever else the caller's roles allow.
 * Refused when the roles do not include it.
 */
export async function deleteOwnUser(deps: { readonly database: Database }, call: Call): Promise<void> {
  const caller = requireCaller(call);
  const { userId, organizationId } = caller;
  const isAllowed = await mayDeleteSelf(deps.database.read, call.instanceId, { userId, organizationId });
  const permissions = new Set(isAllowed ? [permission] : []);
  const access = createAccess([{ level: "organization", resourceId: organizationId, permissions }]);
  await deleteUser(deps, { ...call, caller: { ...caller, access } }, { userId });
}
