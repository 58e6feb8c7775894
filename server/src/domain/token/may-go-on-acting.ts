import type { Reader } from "../../database/index.ts";
import { loadAccess, mayImpersonate, maySignInAs } from "../administrator-access/index.ts";
import { readSettings } from "../settings/index.ts";
import { findUserScope } from "../user/index.ts";
import type { Delegation } from "./family-source.store.ts";

/**
 * Whether the instance permits impersonation. Reads the rows, so that disabling it takes effect on every node
 * immediately.
 */
export async function isImpersonationOn(reader: Reader, instanceId: string): Promise<boolean> {
  return (await readSettings(reader, "security", { instanceId })).settings.enableImpersonation;
}

/**
 * Whether all of these actors may continue acting: the instance still permits impersonation, and each of them still has
 * the permission for the user, with the roles that the user has now. True without actors.
 *
 * @param rule what an actor needs: to act for the user by token exchange, or to sign in as the user
 */
export async function mayGoOnActing(
  reader: Reader,
  instanceId: string,
  delegations: readonly Delegation[],
  rule: "act_for" | "sign_in_as",
): Promise<boolean> {
  if (delegations.length === 0) return true;
  if (!(await isImpersonationOn(reader, instanceId))) return false;
  const mayAct = rule === "sign_in_as" ? maySignInAs : mayImpersonate;
  const distinct = new Map(delegations.map((one) => [`${one.actor.sub} ${one.userId}`, one]));
  for (const { actor, userId } of distinct.values()) {
    const user = await findUserScope(reader, instanceId, userId);
    if (user === undefined) return false;
    // The actor's sign-in was judged when the delegation began. It does not get weaker, and its age does not end the
    // delegation.
    const access = await loadAccess(reader, instanceId, actor.sub);
    if (!(await mayAct(reader, instanceId, { ...user, access }))) return false;
  }
  return true;
}
