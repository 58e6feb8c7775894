import { type Author, accessOfAuthor } from "../../call/index.ts";
import type { Reader } from "../../database/index.ts";
import { listHeldPlaces } from "./access.store.ts";
import { mayAppoint } from "./may-appoint.ts";
import { permissionsOfAll } from "./roles.ts";

/**
 * Whether what an author prepared lets a user in now. The rights of an author are weighed when the link or the code is
 * made, and again whenever it is used: the user may have been appointed since, here or in another organization.
 */
export async function mayPrepareFor(
  reader: Reader,
  instanceId: string,
  author: Author,
  userId: string,
): Promise<boolean> {
  const held = await listHeldPlaces(reader, instanceId, userId);
  if (held.length === 0) return true;
  const access = accessOfAuthor(author, permissionsOfAll);
  return held.every(({ role, place }) => mayAppoint(access, role, place));
}
