import { Secret } from "../../base/secret.ts";
import type { Call } from "../../call/index.ts";
import type { Database, Tx } from "../../database/index.ts";
import {
  checkOneTimeSecret,
  digestOneTimeSecret,
  isStoredSecret,
  putDecoy,
  putOneTimeSecret,
} from "../one-time-secret/index.ts";
import { readCodeFormat } from "../settings/index.ts";

// Guesses count here, and never at the user's code: a page that is reached by a name alone must neither end the code
// and the link of the message, nor do anything that depends on whether the name has a user.
const kind = "password_reset_entry";

/** A code for a new password in the sign-in attempt that caused its message. */
interface CodeOfAttempt {
  readonly attemptId: string;
  readonly userId: string;
  readonly code: Secret;
}

/** Step: lets a code be typed in the attempt that caused its message, five times at most. */
export async function putCodeOfAttempt(
  tx: Tx,
  { attemptId, userId, code, lifetimeSeconds }: CodeOfAttempt & { readonly lifetimeSeconds: number },
): Promise<void> {
  const secret = secretOf({ userId, code });
  await putOneTimeSecret(tx, { kind, subjectId: attemptId, secret, bound: {}, lifetimeSeconds });
}

/** Step: makes an attempt that caused no message within a pause take guesses like any other. */
export async function putNoCodeOfAttempt(
  tx: Tx,
  { attemptId, pause }: { readonly attemptId: string; readonly pause: number },
): Promise<void> {
  const { lifetimeSeconds } = await readCodeFormat(tx, tx.instanceId, "password_reset");
  await putDecoy(tx, { kind, subjectId: attemptId, lifetimeSeconds, pause });
}

/**
 * Whether a code is that of the message which the attempt caused, and still the user's. A wrong guess is counted in the
 * attempt, and touches nothing of the user.
 */
export async function isCodeOfAttempt(
  { database }: { readonly database: Database },
  call: Call,
  { attemptId, userId, code }: Omit<CodeOfAttempt, "userId"> & { readonly userId: string | undefined },
): Promise<boolean> {
  const secret = secretOf({ userId: userId ?? "", code });
  const outcome = await database.touch(call, (tx) => checkOneTimeSecret(tx, { kind, subjectId: attemptId, secret }));
  if (outcome !== "right" || userId === undefined) return false;
  // A newer code replaced it: what was right here would be a guess there.
  const ofUser = { instanceId: call.instanceId, kind: "password_reset", subjectId: userId } as const;
  return isStoredSecret(database.read, ofUser, digestOneTimeSecret(ofUser, code));
}

// Another name may be entered in the attempt: the code is only that of this user.
const secretOf = ({ userId, code }: Pick<CodeOfAttempt, "userId" | "code">): Secret =>
  new Secret(JSON.stringify([userId, code.reveal()]));
