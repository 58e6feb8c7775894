import type { Reader } from "../../database/index.ts";
import { listHeldPlaces } from "./access.store.ts";

/**
 * Lists the organizations in which a user administers something: all of it, a project, or a project that was lent to
 * it.
 */
export async function listAdministeredOrganizations(
  reader: Reader,
  instanceId: string,
  userId: string,
): Promise<string[]> {
  const held = await listHeldPlaces(reader, instanceId, userId);
  const ids = held.flatMap(({ place }) => place.scopes.map(({ organizationId }) => organizationId ?? ""));
  return [...new Set(ids)].filter((id) => id !== "").sort();
}
