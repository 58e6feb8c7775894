import { payerOf, payFor } from "../base/budget/payer.ts";
import { toIso } from "../base/clock.ts";
import { type Outbound, OutboundError } from "../base/outbound/index.ts";
import { createDelivery, type Delivery, type DeliveryWitness } from "../base/queue/delivery.ts";
import {
  claimQuotaCall,
  piecesOf,
  type QuotaCall,
  type QuotaQueueDeps,
  settleQuotaCall,
} from "../domain/quota/index.ts";

export interface QuotaDeliveryDeps extends QuotaQueueDeps, DeliveryWitness {
  readonly outbound: Outbound;
}

// How many addresses are called at a time, in all and for one instance.
const lanes = 16;
const shares = [4] as const;
const maximumBytes = 65_536;

/** Creates the sender that calls the addresses of quotas whose thresholds were reached. Every node has one. */
export function createQuotaDelivery(deps: QuotaDeliveryDeps): Delivery {
  return createDelivery<QuotaCall>(deps, {
    name: "quota notifications",
    most: lanes,
    payersOf: ({ instanceId }) => [instanceId],
    shares,
    take: ([instanceIds = []]) => claimQuotaCall(deps, instanceIds),
    warnings: { failed: "a quota notification was given up", postponed: "a quota notification is tried again" },
    perform: (call, stopping, tell) =>
      payFor(payerOf(call.instanceId, "quota notifications"), async () => {
        const outcome = await send(deps, call, stopping).catch((error: unknown) => {
          deps.report(error, "quota notifications");
          return { failure: "internal", detail: undefined };
        });
        if (stopping.aborted) return;
        const end = await settleQuotaCall(deps, call, outcome.failure);
        const { instanceId, deliveryId, unit, threshold, attempt } = call;
        tell(end, { instanceId, deliveryId, unit, threshold, attempt, ...outcome });
      }),
  });
}

interface Outcome {
  readonly failure?: string;
  /** More about the failure, for the log of the operator alone. */
  readonly detail?: string | undefined;
}

async function send({ outbound }: QuotaDeliveryDeps, call: QuotaCall, signal: AbortSignal): Promise<Outcome> {
  const { deliveryId, unit, callUrl, periodStart, threshold, used } = call;
  const usage = Math.floor(used / piecesOf[unit]);
  const body = { id: deliveryId, unit, callURL: callUrl, periodStart: toIso(periodStart), threshold, usage };
  try {
    const { status } = await outbound({
      url: callUrl,
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      maximumBytes,
      signal,
    });
    return status >= 200 && status <= 299 ? {} : { failure: `status_${status}` };
  } catch (error) {
    if (error instanceof OutboundError) return { failure: error.shownFailure, detail: error.failure };
    throw error;
  }
}
