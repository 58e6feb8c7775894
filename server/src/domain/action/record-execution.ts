import type { Tx } from "../../database/index.ts";
import { executionAggregate } from "./execution.ts";

/** Step: records the current targets of an execution. */
export function recordExecution(
  tx: Tx,
  execution: { readonly executionId: string; readonly targetIds: readonly string[]; readonly sequence: number },
  type: "execution.set" | "execution.removed",
): void {
  const { executionId, targetIds, sequence } = execution;
  tx.record({
    type,
    ...executionAggregate(tx.instanceId, executionId),
    sequence,
    ...(type === "execution.set" && { payload: { targets: targetIds } }),
  });
}
