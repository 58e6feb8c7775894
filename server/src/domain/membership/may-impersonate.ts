import type { Reader } from "../../database/index.ts";
import { listHeldPlaces } from "./access.store.ts";
import { loadAccess } from "./load-access.ts";

/**
 * Whether an actor may act for a user towards applications: with `impersonation` in the user's organization, and with
 * `admin.impersonation` wherever the user is an administrator. Thus an actor for the users of an organization cannot
 * act for the owner of the instance.
 */
export async function mayImpersonate(
  reader: Reader,
  instanceId: string,
  input: { readonly actorId: string; readonly userId: string; readonly organizationId: string },
): Promise<boolean> {
  const access = await loadAccess(reader, instanceId, input.actorId);
  if (!access.allows("impersonation", { organizationId: input.organizationId })) return false;
  const held = await listHeldPlaces(reader, instanceId, input.userId);
  return held.every(({ place }) => place.scopes.some((scope) => access.allows("admin.impersonation", scope)));
}
