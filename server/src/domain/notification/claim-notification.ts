import { type Clock, minutes } from "../../base/clock.ts";
import type { Call } from "../../call/index.ts";
import type { Database, Tx } from "../../database/index.ts";
import { type MessageBudgets, takeOrWait } from "../message-provider/index.ts";
import { claimNotificationRow, deferNotices, deferNotification, findDueOrganization } from "./delivery.store.ts";
import type { ClaimedNotification, NotificationChannel, NotificationQueue } from "./notification.ts";

export interface DeliveryDeps {
  readonly database: Database;
  readonly clock: Clock;
}

export interface ClaimDeps extends DeliveryDeps {
  readonly messageBudgets: MessageBudgets;
}

/** Whose turn it is in a queue. Each node has its own, so that a turn costs no write. */
export interface Turns {
  /** How many messages were claimed. */
  count: number;
  /** The organization that was last served, of messages with codes and of notices. */
  readonly last: { code: string; notice: string };
}

/** Creates the turns of all queues of a node: returns those of a queue, which begin when it is first served. */
export function createTurns(): (queue: NotificationQueue) => Turns {
  const ofQueues = new Map<string, Turns>();
  return ({ instanceId, channel }) => {
    const key = `${instanceId}/${channel}`;
    const known = ofQueues.get(key) ?? { count: 0, last: { code: "", notice: "" } };
    ofQueues.set(key, known);
    return known;
  };
}

// Codes come first, because users wait for them. But an endless stream of codes must not delay the notice of a theft
// forever.
const turnOfNotices = 8;
// All notices of an organization wait together, so that many of them are not looked at again and again.
const leastWait = minutes(10);

/**
 * Claims one attempt at a due message of a queue; undefined when none is due. Organizations take turns, and codes go
 * before notices, except in every eighth turn. A notice is taken from the budgets with its first attempt, and waits
 * where they have none left.
 */
export async function claimNotification(
  deps: ClaimDeps,
  { instanceId, channel }: NotificationQueue,
  turns: Turns,
): Promise<ClaimedNotification | undefined> {
  const isForNotices = turns.count++ % turnOfNotices === turnOfNotices - 1;
  const kinds = isForNotices ? (["notice", "code"] as const) : (["code", "notice"] as const);
  for (const kind of kinds) {
    for (;;) {
      const call = deliveryCall(instanceId, deps.clock());
      const found = await deps.database.touch(call, (tx) =>
        claimNext(tx, deps, { channel, kind, last: turns.last[kind] }),
      );
      if (found === undefined) break;
      turns.last[kind] = found.organizationId;
      if (found.claimed !== undefined) return found.claimed;
    }
  }
  return undefined;
}

interface Turn {
  readonly channel: NotificationChannel;
  readonly kind: "code" | "notice";
  /** The organization that was served before. */
  readonly last: string;
}

interface Found {
  readonly organizationId: string;
  /** Undefined when what was found has to wait. */
  readonly claimed: ClaimedNotification | undefined;
}

async function claimNext(tx: Tx, deps: ClaimDeps, { channel, kind, last }: Turn): Promise<Found | undefined> {
  const isNotice = kind === "notice";
  // From the organization after the last one to the end, and once more from the beginning. Another node may hold the
  // only message of an organization.
  for (const begin of last === "" ? [""] : [last, ""]) {
    let after = begin;
    for (;;) {
      const organizationId = await findDueOrganization(tx, { channel, isNotice, after });
      if (organizationId === undefined) break;
      const claimed = await claimNotificationRow(tx, { channel, isNotice, organizationId });
      if (claimed !== undefined) {
        const isPaid = !isNotice || claimed.attempts > 1 || (await payForNotice(tx, deps, claimed));
        return { organizationId, claimed: isPaid ? claimed : undefined };
      }
      after = organizationId;
    }
  }
  return undefined;
}

/** Takes a notice from the budgets. False when one of them has none left: then it waits until there is one again. */
async function payForNotice(tx: Tx, deps: ClaimDeps, claimed: ClaimedNotification): Promise<boolean> {
  const { channel, recipient, userId, organizationId, kind } = claimed;
  const message = { channel, purpose: "notice", recipient, userId, organizationId, kind } as const;
  const spent = await takeOrWait(tx, deps, message);
  if (spent === undefined) return true;
  if (spent.name !== "messages_of_organization") {
    await deferNotification(tx, claimed, tx.now + spent.wait);
    return false;
  }
  const until = tx.now + Math.max(leastWait, spent.wait);
  await deferNotification(tx, claimed, until);
  // The remaining budget is for users who have had no notice in a day, so only this user's notices are delayed.
  await deferNotices(tx, { channel, organizationId, ...(spent.hasReserve && { userId }) }, until);
  return false;
}

/** Creates the call of the job that delivers messages. */
export const deliveryCall = (instanceId: string, now: number): Call => ({
  instanceId,
  requestId: "notifications",
  now,
  language: "en",
});
