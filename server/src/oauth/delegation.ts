import type { Reader, Tx } from "../database/index.ts";
import { mayImpersonate } from "../domain/membership/index.ts";
import { readSettings } from "../domain/settings/index.ts";
import type { TokenFamily } from "../domain/token/index.ts";
import { findUserScope } from "../domain/user/index.ts";

/** Whether the instance lets anybody act for others. Asks the rows: turning it off holds on every node at once. */
export async function isImpersonationOn(reader: Reader, instanceId: string): Promise<boolean> {
  return (await readSettings(reader, "security", { instanceId })).settings.enableImpersonation;
}

/** Whether somebody who acts for a user may go on: it must still be allowed in the instance, and to the actor. True where nobody acts. */
export async function mayGoOnActing(tx: Tx, { actor, userId }: TokenFamily): Promise<boolean> {
  if (actor === undefined) return true;
  if (!(await isImpersonationOn(tx, tx.instanceId))) return false;
  const user = userId === undefined ? undefined : await findUserScope(tx, tx.instanceId, userId);
  return user !== undefined && mayImpersonate(tx, tx.instanceId, { ...user, actorId: actor.sub });
}
