import type { Reader } from "../../database/index.ts";
import { findEarlierHolder } from "./identity-link.store.ts";
import type { IdentityLink } from "./identity-link.ts";
import { isHeldBack } from "./is-held-back.ts";

/**
 * Whether an organization said whose an account is after a user of another one had proven it or agreed to have it
 * there: then its word signs no user in without asking.
 */
export async function isHeldByOther(reader: Reader, instanceId: string, link: IdentityLink): Promise<boolean> {
  if (link.assertedIn === null) return false;
  const userId = await findEarlierHolder(reader, instanceId, link);
  if (userId === undefined) return false;
  return !(await isHeldBack(reader, instanceId, { userId, assertedIn: null }, link.assertedIn));
}
