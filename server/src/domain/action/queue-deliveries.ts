import type { Vault } from "../../base/vault.ts";
import type { Call } from "../../call/index.ts";
import type { Database, Tx } from "../../database/index.ts";
import { type FeedEvent, originalNamesOf } from "../../event/index.ts";
import { haveFewerBytes, insertDelivery, takeNumber } from "./delivery.store.ts";
import { payloadContext } from "./delivery.ts";
import { listEventTargets } from "./event-execution.store.ts";
import { executionIdsOfEvent } from "./execution.ts";

/**
 * Step of a follower of the feed: queues events for the targets that have to receive them. An event goes to the targets
 * of the most specific execution that it meets, unless it happened before that execution was set.
 */
export async function queueEvents(tx: Tx, events: readonly FeedEvent[]): Promise<void> {
  const instanceIds = [...new Set(events.map(({ instanceId }) => instanceId))];
  const listening = Map.groupBy(
    await listEventTargets(tx, instanceIds),
    ({ instanceId, executionId }) => `${instanceId} ${executionId}`,
  );
  if (listening.size === 0) return;
  for (const event of events) {
    const { instanceId, type, aggregateType, aggregateId, sequence, createdAt } = event;
    const originals = originalNamesOf(event);
    const met = executionIdsOfEvent([...new Set([type, ...originals])]).find((executionId) =>
      listening.has(`${instanceId} ${executionId}`),
    );
    const targets = met === undefined ? [] : (listening.get(`${instanceId} ${met}`) ?? []);
    // A condition that names an event as the interface does gets that name; others get the first that it has there.
    const original = originals.find((name) => met === `event/${name}`) ?? originals[0] ?? type;
    for (const { targetId, since, isOriginal } of targets) {
      if (createdAt < since) continue;
      await insertDelivery(tx, await takeNumber(tx, instanceId, targetId), {
        instanceId,
        targetId,
        lane: `${aggregateType}/${aggregateId}`,
        subject: isOriginal ? original : type,
        event: { aggregateType, aggregateId, sequence },
      });
    }
  }
}

// Callers choose how long their calls are, and each is kept for every target until it was delivered.
const largePayload = 16 * 1024;
const mostBytesOfQueue = 32 * 1024 * 1024;

/**
 * Queues a payload for a target of the instance. From then on the delivery survives the end of this process. Returns
 * false when the payload is large and too much waits for the target already.
 */
export async function queuePayload(
  deps: { readonly database: Database; readonly vault: Vault; readonly newId: () => string },
  call: Call,
  input: {
    readonly targetId: string;
    readonly subject: string;
    readonly payload: object;
    readonly mostBytes?: number;
  },
): Promise<boolean> {
  const { targetId, subject } = input;
  const { instanceId } = call;
  const lane = `call/${deps.newId()}`;
  // Requests may hold passwords.
  const payload = deps.vault.encrypt(JSON.stringify(input.payload), payloadContext(instanceId, targetId, lane));
  return deps.database.touch(call, async (tx) => {
    const { mostBytes = mostBytesOfQueue } = input;
    if (payload.length > largePayload && !(await haveFewerBytes(tx, targetId, mostBytes))) return false;
    const number = await takeNumber(tx, instanceId, targetId);
    await insertDelivery(tx, number, { instanceId, targetId, lane, subject, payload });
    return true;
  });
}
