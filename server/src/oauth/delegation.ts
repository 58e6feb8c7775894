import type { Reader, Tx } from "../database/index.ts";
import { mayImpersonate } from "../domain/membership/index.ts";
import { readSettings } from "../domain/settings/index.ts";
import type { TokenFamily } from "../domain/token/index.ts";
import { findUserScope } from "../domain/user/index.ts";

/**
 * Whether the instance permits impersonation. Reads the rows, so that disabling it takes effect on every node
 * immediately.
 */
export async function isImpersonationOn(reader: Reader, instanceId: string): Promise<boolean> {
  return (await readSettings(reader, "security", { instanceId })).settings.enableImpersonation;
}

/**
 * Whether impersonation may continue: it must still be allowed in the instance, and to the actor. True without an
 * actor.
 */
export async function mayGoOnActing(tx: Tx, { actor, userId }: TokenFamily): Promise<boolean> {
  if (actor === undefined) return true;
  if (!(await isImpersonationOn(tx, tx.instanceId))) return false;
  const user = userId === undefined ? undefined : await findUserScope(tx, tx.instanceId, userId);
  return user !== undefined && mayImpersonate(tx, tx.instanceId, { ...user, actorId: actor.sub });
}
