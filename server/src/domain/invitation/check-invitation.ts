import { Secret } from "../../base/secret.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { codeInvalid, isGoodCode, mayRedeem } from "../contact/index.ts";
import { checkOneTimeSecret } from "../one-time-secret/index.ts";
import { findUser, findUserScope, type HumanUser, type PreparedDeps, recordUserEvent } from "../user/index.ts";

/**
 * Returns the invited user to the holder of the code, for what has to happen before the invitation is accepted. Uses
 * nothing up. A wrong code is counted, recorded and refused, like one that is expired, used or unknown.
 */
export async function checkInvitation(
  { database, mayPrepareFor }: PreparedDeps & { readonly database: Database },
  call: Call,
  { userId, code }: { readonly userId: string; readonly code: string },
): Promise<HumanUser> {
  if (!mayRedeem(await findUserScope(database.read, call.instanceId, userId))) throw codeInvalid();
  const user = await findUser(database.read, call.instanceId, userId);
  if (user?.kind !== "human") throw codeInvalid();
  const of = { user, kind: "invitation" } as const;
  if (!(await isGoodCode(database.read, call.instanceId, { mayPrepareFor }, of))) throw codeInvalid();
  const guess = { kind: "invitation", subjectId: userId, secret: new Secret(code) } as const;
  const outcome = await database.touch(call, (tx) => checkOneTimeSecret(tx, guess));
  if (outcome === "right") return user;
  if (outcome === "wrong") {
    await database.change(call, (tx) => recordUserEvent(tx, user, { type: "user.invitation_check.failed" }));
  }
  throw codeInvalid();
}
