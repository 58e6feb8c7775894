import { hash } from "node:crypto";
import type { FailedDelivery, FailedDeliveryKey } from "../../base/queue/failed-delivery.ts";
import type { Reader, Tx } from "../../database/index.ts";
import { giveUpDelivery, listFailedDeliveries } from "../action/index.ts";
import { giveUpNotice, listFailedNotices } from "../logout-notice/index.ts";
import { giveUpNotification, listFailedNotifications } from "../notification/index.ts";
import { giveUpQuotaCall, listFailedQuotaCalls } from "../quota/index.ts";

/** A queue of deliveries to other servers. */
interface FailedQueue {
  /** Whether only the operator sees what is in it. */
  readonly isOfOperator: boolean;
  /** Lists the newest deliveries that failed; of all instances without an id. */
  readonly list: (reader: Reader, instanceId: string | undefined, limit: number) => Promise<readonly FailedDelivery[]>;
  /** Gives up one of them in the instance of the unit of work; false when there is none. */
  readonly giveUp: (tx: Tx, key: FailedDeliveryKey) => Promise<boolean>;
}

/** The most deliveries of a queue that are listed, and found by their numbers. */
export const mostOfQueue = 1000;

/**
 * Returns the number of a delivery in the contract. Ids have more digits than a number of JSON can hold in many
 * languages, so that those are replaced by the beginning of a hash.
 */
export function numberOf({ instanceId, group, id }: Pick<FailedDelivery, "instanceId" | "group" | "id">): number {
  if (/^\d{1,15}$/.test(id)) return Number(id);
  return Number.parseInt(hash("sha256", `${instanceId}/${group}/${id}`, "hex").slice(0, 12), 16);
}

/** Every queue, by the name that the contract has for it. */
export const failedQueues: Readonly<Record<string, FailedQueue>> = {
  deliveries: { isOfOperator: false, list: listFailedDeliveries, giveUp: giveUpDelivery },
  notifications: { isOfOperator: false, list: listFailedNotifications, giveUp: giveUpNotification },
  logout_notices: { isOfOperator: false, list: listFailedNotices, giveUp: giveUpNotice },
  quota_notifications: { isOfOperator: true, list: listFailedQuotaCalls, giveUp: giveUpQuotaCall },
};
