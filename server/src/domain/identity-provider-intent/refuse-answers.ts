import type { Tx } from "../../database/index.ts";
import { endAnswersOf, endAnswersOfBrowser, endAnswersOfSession, endUnreadAnswers } from "./hosted-intent.store.ts";
import { intentAggregate } from "./identity-intent.ts";

const failure = "sign_in.ended";

/** Step: ends the attempts at providers whose answer waits in a browser, because its user signed out there. */
export const refuseAnswersOfBrowser = async (tx: Tx, browserHash: string): Promise<void> =>
  recordAll(tx, await endAnswersOfBrowser(tx, browserHash, failure));

/** Step: does the same in the browser of a session that was ended elsewhere. */
export const refuseAnswersOfSession = async (tx: Tx, sessionId: string): Promise<void> =>
  recordAll(tx, await endAnswersOfSession(tx, sessionId, failure));

/** Step: does the same with the given attempts, because the provider ended the sessions that it answered with. */
export const refuseAnswers = async (tx: Tx, intentIds: readonly string[]): Promise<void> =>
  recordAll(tx, await endAnswersOf(tx, intentIds, failure));

/** Step: does the same with answers of a provider in a browser whose account is not known yet. */
export const refuseUnreadAnswers = async (tx: Tx, of: Parameters<typeof endUnreadAnswers>[1]): Promise<void> =>
  recordAll(tx, await endUnreadAnswers(tx, of, failure));

function recordAll(tx: Tx, ended: Awaited<ReturnType<typeof endAnswersOfBrowser>>): void {
  for (const { intentId, sequence } of ended) {
    const payload = { reason: failure };
    tx.record({ type: "idpintent.failed", ...intentAggregate(intentId, tx.instanceId), sequence, payload });
  }
}
