import type { Reader } from "../../database/index.ts";
import { loadAccess, mayImpersonate } from "../administrator-access/index.ts";
import { isImpersonationOn } from "../settings/index.ts";
import { findUserScope } from "../user/index.ts";
import type { Delegation } from "./family-source.store.ts";

/**
 * Whether all of these actors may continue acting: the instance still permits impersonation, and each of them still has
 * the permission for the user, with the roles that the user has now. True without actors.
 */
export async function mayGoOnActing(
  reader: Reader,
  instanceId: string,
  delegations: readonly Delegation[],
): Promise<boolean> {
  if (delegations.length === 0) return true;
  if (!(await isImpersonationOn(reader, instanceId))) return false;
  const distinct = new Map(delegations.map((one) => [`${one.actor.sub} ${one.userId}`, one]));
  for (const { actor, userId } of distinct.values()) {
    const user = await findUserScope(reader, instanceId, userId);
    if (user === undefined) return false;
    // The actor's sign-in was judged when the delegation began. It does not get weaker, and its age does not end the
    // delegation.
    const access = await loadAccess(reader, instanceId, actor.sub);
    if (!(await mayImpersonate(reader, instanceId, { ...user, access }))) return false;
  }
  return true;
}
