import { Secret } from "../../base/secret.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { checkOneTimeSecret } from "../one-time-secret/index.ts";
import { findUser, findUserScope, type HumanUser, recordUserEvent } from "../user/index.ts";
import { isGoodCode } from "./code-author.ts";
import type { CodeKind } from "./code-kind.ts";
import type { ContactProofDeps } from "./is-good-proof.ts";
import { codeInvalid, mayRedeem } from "./redeem-code.ts";

/**
 * Returns the user to the holder of their code, for what has to happen before it is used up: without it, nothing that
 * depends on the user may be answered. Uses nothing up. A wrong code is counted, recorded and refused, like one that is
 * expired, used or unknown.
 */
export async function checkCode(
  deps: ContactProofDeps & { readonly database: Database },
  call: Call,
  { userId, kind, code }: { readonly userId: string; readonly kind: CodeKind; readonly code: string },
): Promise<HumanUser> {
  // Nothing was entered: a missing field, which does not count as a guess.
  if (code.trim() === "") throw codeInvalid();
  const { database } = deps;
  const { read } = database;
  if (!mayRedeem(await findUserScope(read, call.instanceId, userId))) throw codeInvalid();
  const user = await findUser(read, call.instanceId, userId);
  if (user?.kind !== "human") throw codeInvalid();
  if (!(await isGoodCode(read, call.instanceId, deps, { user, kind }))) throw codeInvalid();
  const guess = { kind, subjectId: userId, secret: new Secret(code) };
  const outcome = await database.touch(call, (tx) => checkOneTimeSecret(tx, guess));
  if (outcome === "right") return user;
  if (outcome === "wrong") {
    await database.change(call, (tx) => recordUserEvent(tx, user, { type: `user.${kind}_check.failed` }));
  }
  throw codeInvalid();
}
