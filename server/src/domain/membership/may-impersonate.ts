import type { Reader } from "../../database/index.ts";
import { listHeldPlaces } from "./access.store.ts";
import { loadAccess } from "./load-access.ts";

/**
 * Whether somebody may act for a user towards applications: with `impersonation` where the user belongs, and with `admin.impersonation` wherever
 * the user administrates, so that who may act for the people of an organization does not act for its instance's owner.
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
