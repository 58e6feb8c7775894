import type { Tx } from "../../database/index.ts";
import { type Target, targetAggregate } from "./target.ts";

/** Step: records the current state of a target, always without its signing key. */
export function recordTarget(
  tx: Tx,
  target: Target,
  type: "target.created" | "target.updated",
  extra: Readonly<Record<string, unknown>> = {},
): void {
  const { targetId, name, kind, endpoint, timeout, isInterrupting, payloadType, details } = target;
  tx.record({
    type,
    ...targetAggregate(tx.instanceId, targetId),
    sequence: details.sequence,
    payload: { name, kind, endpoint, timeout, isInterrupting, payloadType, ...extra },
  });
}
