import type { Tx } from "../../database/index.ts";
import { isPassedOn } from "./author.ts";
import { freshForChange } from "./authorize-user.ts";
import { listChecks, type SessionsOfUser } from "./session-author.store.ts";

const secondChecks = ["totpCheckedAt", "otpSmsCheckedAt", "otpEmailCheckedAt", "recoveryCodeCheckedAt"];

/**
 * Whether what the caller makes for a user depends on a passkey that a message opened and that counts as one factor,
 * and on no second factor: then the reader of the mailbox could have made it as well. In the session of the user, or in
 * those that the user had just now with the sign-in application that passes it on.
 */
export async function restsOnMessage(
  tx: Tx,
  user: { readonly userId: string; readonly organizationId: string },
): Promise<boolean> {
  const { instanceId, now } = tx;
  const since = now - freshForChange;
  const sessions = sessionsBehind(tx, user, since);
  if (sessions === undefined) return false;
  const checks = await listChecks(tx, instanceId, user.userId, sessions);
  return checks.some(
    (factors) => factors["isOneFactor"] === true && !secondChecks.some((check) => Number(factors[check] ?? 0) >= since),
  );
}

function sessionsBehind(
  { call }: Pick<Tx, "call">,
  user: { readonly userId: string; readonly organizationId: string },
  since: number,
): SessionsOfUser | undefined {
  const { caller } = call;
  if (caller === undefined) return undefined;
  const { sessionId } = caller;
  if (caller.userId === user.userId) return sessionId === undefined ? undefined : { sessionId };
  return isPassedOn(call, user) ? { creatorId: caller.userId, since } : undefined;
}
