import type { Tx } from "../../database/index.ts";
import { endAnswersOfBrowser, endAnswersOfSession } from "./hosted-intent.store.ts";
import { intentAggregate } from "./identity-intent.ts";

const failure = "sign_in.ended";

/** Step: ends the attempts at providers whose answer waits in a browser, because its user signed out there. */
export const refuseAnswersOfBrowser = async (tx: Tx, browserHash: string): Promise<void> =>
  recordAll(tx, await endAnswersOfBrowser(tx, browserHash, failure));

/** Step: does the same in the browser of a session that was ended elsewhere. */
export const refuseAnswersOfSession = async (tx: Tx, sessionId: string): Promise<void> =>
  recordAll(tx, await endAnswersOfSession(tx, sessionId, failure));

function recordAll(tx: Tx, ended: Awaited<ReturnType<typeof endAnswersOfBrowser>>): void {
  for (const { intentId, sequence } of ended) {
    const payload = { reason: failure };
    tx.record({ type: "idpintent.failed", ...intentAggregate(intentId, tx.instanceId), sequence, payload });
  }
}
