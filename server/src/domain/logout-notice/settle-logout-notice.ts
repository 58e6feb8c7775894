import type { Call } from "../../call/index.ts";
import type { Tx } from "../../database/index.ts";
import type { QueueDeps } from "./claim-logout-notice.ts";
import { deleteNotice, postponeNotice } from "./logout-notice.store.ts";
import { type LogoutNotice, nextAttemptAt, noticeAggregate } from "./logout-notice.ts";

/** What became of a notice: the client was notified, it will be attempted again, or it is given up. */
export type Settlement = "delivered" | "postponed" | "failed";

/**
 * Records how an attempt ended. `failure` names what went wrong, absent when the client was notified. A failure that no
 * further attempt can repair (`isFinal`) is not retried.
 */
export async function settleLogoutNotice(
  { database, clock }: QueueDeps,
  notice: LogoutNotice,
  outcome: { readonly failure?: string; readonly isFinal?: boolean },
): Promise<Settlement> {
  const { instanceId, attempt } = notice;
  const call: Call = { instanceId, requestId: "logout notices", now: clock(), language: "en" };
  const { failure } = outcome;
  const next = failure === undefined || outcome.isFinal === true ? undefined : nextAttemptAt(attempt, call.now);
  if (failure !== undefined && next !== undefined) {
    await database.touch(call, (tx) => postponeNotice(tx, notice, { at: next, failure }));
    return "postponed";
  }
  await database.change(call, async (tx) => {
    if (await deleteNotice(tx, notice)) recordEnd(tx, notice, failure);
  });
  return failure === undefined ? "delivered" : "failed";
}

/** Records in the history how a notice ended, its only event. */
export function recordEnd(tx: Tx, notice: LogoutNotice, failure: string | undefined): void {
  const { sessionId, clientId, userId, attempt } = notice;
  tx.record({
    type: failure === undefined ? "logout_notice.delivered" : "logout_notice.failed",
    ...noticeAggregate(notice),
    sequence: 1,
    payload: { sessionId, clientId, userId, attempts: attempt, ...(failure !== undefined && { failure }) },
  });
}
