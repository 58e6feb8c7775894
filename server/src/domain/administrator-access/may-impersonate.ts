import type { Access } from "../../call/index.ts";
import type { Reader } from "../../database/index.ts";
import { refusesImpersonation } from "../settings/index.ts";
import { listScopedRoles } from "./access.store.ts";

/**
 * Whether an actor may act for a user towards applications: with `impersonation` in the user's organization, and with
 * `admin.impersonation` wherever the user is an administrator. Thus an actor for the users of an organization cannot
 * act for the owner of the instance. No actor may where the organization refuses it. The access is the actor's: by the
 * token that was presented where there is one, else by the roles of now.
 */
export async function mayImpersonate(
  reader: Reader,
  instanceId: string,
  input: { readonly access: Access; readonly userId: string; readonly organizationId: string },
): Promise<boolean> {
  const { access, organizationId, userId } = input;
  if (!access.allows("impersonation", { organizationId })) return false;
  if (await refusesImpersonation(reader, { instanceId, organizationId, userId })) return false;
  const held = await listScopedRoles(reader, instanceId, input.userId);
  return held.every(({ scope }) => scope.permissionScopes.some((each) => access.allows("admin.impersonation", each)));
}
