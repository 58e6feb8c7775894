import { setTimeout as wait } from "node:timers/promises";
import { payerOf, payFor } from "../../base/budget/payer.ts";
import { seconds } from "../../base/clock.ts";
import {
  type ClaimDeps,
  type ClaimedNotification,
  claimNotification,
  createTurns,
  expireNotifications,
  listDueQueues,
  type NotificationQueue,
  settleNotification,
} from "../../domain/notification/index.ts";
import { createLanes } from "./lanes.ts";
import { type SendNotificationDeps, sendNotification } from "./send-notification.ts";

export interface NotificationDeliveryDeps extends SendNotificationDeps, ClaimDeps {
  /** Whether messages without a provider are shown to the developer instead. */
  readonly isCaptured: boolean;
  /** Called for every failed attempt, with its details, but without address and code. */
  readonly warn: (message: string, details: Readonly<Record<string, unknown>>) => void;
  /** Called for every unexpected failure. */
  readonly report: (error: unknown, requestId: string) => void;
}

/** How many messages had each outcome since the last time. */
type NotificationCounts = Readonly<Record<"sent" | "postponed" | "failed", number>>;

/** Sends the messages of the outbox. */
export interface NotificationDelivery {
  /** Soon starts with what is due, without waiting for it. */
  wake(): void;
  /** Sends what is due, gives up what has expired, and resolves when nothing due is left. */
  run(): Promise<NotificationCounts>;
  /** Starts no other message, and waits a moment for those on their way. */
  stop(): Promise<void>;
}

const lanesOfQueue = 4;
const lanesOfAll = 32;
const patience = seconds(5);
// Session events are frequent and rarely involve a code, so one check serves all of them.
const pauseMilliseconds = 50;

/** Creates the sender of the outbox. Any number of nodes may have one: an attempt is claimed before it is made. */
export function createNotificationDelivery(deps: NotificationDeliveryDeps): NotificationDelivery {
  const { database, clock } = deps;
  const stopping = new AbortController();
  const abandoning = new AbortController();
  const isStopped = (): boolean => stopping.signal.aborted;
  let waking: NodeJS.Timeout | undefined;
  let isWoken = false;
  let isLooking = false;
  let counts = { sent: 0, postponed: 0, failed: 0 };

  const attempt = async ({ instanceId }: NotificationQueue, claimed: ClaimedNotification): Promise<void> => {
    const outcome = await sendNotification(deps, instanceId, claimed, abandoning.signal);
    // The outcome is unknown. When the claim expires, another attempt is made, unless the message was handed over.
    if (abandoning.signal.aborted && outcome.failure !== undefined) return;
    const settlement = await settleNotification(deps, instanceId, claimed, outcome);
    counts[settlement]++;
    if (settlement === "sent") return;
    const { notificationId, kind, channel, attempts } = claimed;
    const message = settlement === "failed" ? "a message was not sent" : "a message is tried again";
    deps.warn(message, { instanceId, notificationId, kind, channel, attempt: attempts, ...outcome });
  };
  const turnsOf = createTurns();
  const lanes = createLanes<NotificationQueue>({
    keyOf: ({ instanceId, channel }) => `${instanceId}/${channel}`,
    ofQueue: lanesOfQueue,
    ofAll: lanesOfAll,
    // Whichever request woke the delivery, its instance pays.
    work: (queue, found) =>
      payFor(payerOf(queue.instanceId, "messages"), async () => {
        const claimed = await claimNotification(deps, queue, turnsOf(queue));
        if (claimed === undefined) return;
        found();
        await attempt(queue, claimed);
      }),
    isStopped,
    report: (error) => deps.report(error, "notifications"),
  });
  const look = async (): Promise<void> => {
    try {
      while (isWoken && !isStopped()) {
        isWoken = false;
        for (const queue of await listDueQueues(database.read, clock())) lanes.open(queue);
      }
    } finally {
      isLooking = false;
    }
  };
  const begin = (): void => {
    isWoken = true;
    if (isLooking || isStopped()) return;
    isLooking = true;
    lanes.run(look);
  };
  return {
    wake: () => {
      if (isStopped()) return;
      waking ??= setTimeout(() => {
        waking = undefined;
        begin();
      }, pauseMilliseconds).unref();
    },
    run: async () => {
      counts.failed += await expireNotifications(deps, deps);
      begin();
      await lanes.settled();
      const done = counts;
      counts = { sent: 0, postponed: 0, failed: 0 };
      return done;
    },
    stop: async () => {
      stopping.abort();
      clearTimeout(waking);
      const finished = lanes.settled();
      await Promise.race([finished, wait(patience, undefined, { ref: false })]);
      abandoning.abort();
      await finished;
    },
  };
}
