import { createLanes } from "../../base/lanes.ts";
import {
  claimLogoutNotice,
  type LogoutNotice,
  type QueueDeps,
  settleLogoutNotice,
} from "../../domain/logout-notice/index.ts";
import { type SendDeps, sendLogoutNotice } from "./send-logout-notice.ts";

export interface DeliveryDeps extends SendDeps, QueueDeps {
  /** Told of every attempt that failed, with what it was about. */
  readonly warn: (message: string, details: Readonly<Record<string, unknown>>) => void;
  /** Told of every failure that nobody expected. */
  readonly report: (error: unknown, requestId: string) => void;
}

/** How many attempts ended how since the last time. */
export type DeliveryCounts = Readonly<Record<"delivered" | "postponed" | "failed", number>>;

/** Tells clients of sessions that have ended. */
export interface LogoutDelivery {
  /** Begins with what is due, without waiting for it. */
  wake(): void;
  /** Delivers what is due and resolves when nothing is left of it. */
  run(): Promise<DeliveryCounts>;
  /** Ends what is on its way; a later process, or another node, tries it again. */
  stop(): Promise<void>;
}

// A server that answers to nothing holds up one of these for as long as a request may take, and nobody else.
const lanes = 8;

/** Makes the sender of the queue. Any number of nodes may have one: an attempt is claimed before it is made. */
export function createLogoutDelivery(deps: DeliveryDeps): LogoutDelivery {
  let counts = { delivered: 0, postponed: 0, failed: 0 };

  const attempt = async (notice: LogoutNotice, stopping: AbortSignal): Promise<void> => {
    const outcome = await sendLogoutNotice(deps, notice, stopping).catch((error: unknown) => {
      deps.report(error, "logout notices");
      return { failure: "internal" };
    });
    if (stopping.aborted) return;
    const settlement = await settleLogoutNotice(deps, notice, outcome);
    counts[settlement]++;
    if (settlement === "delivered") return;
    const { instanceId, clientId, sessionId } = notice;
    const message = settlement === "failed" ? "a client was not told of a logout" : "a logout notice is tried again";
    deps.warn(message, { instanceId, clientId, sessionId, attempt: notice.attempt, failure: outcome.failure });
  };
  const { wake, drain, stop } = createLanes({
    most: lanes,
    take: () => claimLogoutNotice(deps),
    perform: attempt,
    report: (error) => deps.report(error, "logout notices"),
  });
  return {
    wake,
    stop,
    run: async () => {
      await drain();
      const done = counts;
      counts = { delivered: 0, postponed: 0, failed: 0 };
      return done;
    },
  };
}
