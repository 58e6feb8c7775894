import { type FailedDeliveryKey, givenUp } from "../../base/queue/failed-delivery.ts";
import type { Tx } from "../../database/index.ts";
import { takeFailedNotice } from "./failed-notice.store.ts";
import { recordEnd } from "./settle-logout-notice.ts";

/** Step: gives up a notice that failed. False when there is none. */
export async function giveUpNotice(tx: Tx, { group: clientId, id: sessionId }: FailedDeliveryKey): Promise<boolean> {
  const notice = await takeFailedNotice(tx, { sessionId, clientId });
  if (notice === undefined) return false;
  recordEnd(tx, notice, givenUp);
  return true;
}
