import type { Vault } from "../../base/vault.ts";
import type { Tx } from "../../database/index.ts";
import { type DeliveryDeps, deliveryCall } from "./claim-notification.ts";
import { markFailed, markSent, postponeNotification } from "./delivery.store.ts";
import { type ClaimedNotification, nextAttemptAt, vaultContext } from "./notification.ts";

/** What became of a message: a provider took it, it will be attempted again, or it is given up. */
export type Settlement = "sent" | "postponed" | "failed";

export interface AttemptOutcome {
  /** What went wrong, for programs; absent when the message was taken. */
  readonly failure?: string;
  /** Whether further attempts are useless. */
  readonly isFinal?: boolean;
  /** More about the failure, for the log of the operator alone. */
  readonly detail?: string;
}

/** Records how an attempt ended. */
export async function settleNotification(
  { database, clock, vault }: DeliveryDeps & { readonly vault: Pick<Vault, "encrypt"> },
  instanceId: string,
  claimed: ClaimedNotification,
  { failure, isFinal }: AttemptOutcome,
): Promise<Settlement> {
  const call = deliveryCall(instanceId, clock());
  if (failure === undefined) {
    await database.change(call, async (tx) => {
      const nothing = vault.encrypt("{}", vaultContext(instanceId, claimed.notificationId));
      if (await markSent(tx, claimed, nothing)) recordOutcome(tx, claimed, undefined);
    });
    return "sent";
  }
  const next = isFinal === true ? undefined : nextAttemptAt(claimed, call.now);
  if (next !== undefined) {
    await database.touch(call, (tx) => postponeNotification(tx, claimed, { nextAttemptAt: next, failure }));
    return "postponed";
  }
  await database.change(call, async (tx) => {
    if (await markFailed(tx, claimed, failure)) recordOutcome(tx, claimed, failure);
  });
  return "failed";
}

/** Records in the history how a message ended, its only event. */
export function recordOutcome(
  tx: Tx,
  claimed: Pick<ClaimedNotification, "notificationId" | "organizationId" | "kind" | "channel" | "userId" | "attempts">,
  failure: string | undefined,
): void {
  const { notificationId, organizationId, kind, channel, userId, attempts } = claimed;
  tx.record({
    type: failure === undefined ? "notification.sent" : "notification.failed",
    aggregateType: "notification",
    aggregateId: notificationId,
    ownerId: organizationId,
    sequence: 1,
    payload: { kind, channel, userId, attempts, ...(failure !== undefined && { failure }) },
  });
}
