import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import type { Database, Details } from "../../database/index.ts";
import { authorizeInstance, callIn } from "./authorize-instance.ts";
import { holdLimits, insertLimits, updateLimits } from "./limits.store.ts";
import { type Limits, limitsAggregate } from "./limits.ts";

/** The limits to be set for an instance. */
export interface LimitsInput {
  readonly instanceId: string;
  /** Milliseconds; 0 removes the limit. Kept when undefined. */
  readonly auditLogRetention?: number | undefined;
  /** Kept when undefined. */
  readonly isBlocked?: boolean | undefined;
}

/** Sets the given limits of an instance and keeps the others, for system users. The current values change nothing. */
export async function setLimits(
  deps: { readonly database: Database },
  call: Call,
  input: LimitsInput,
): Promise<Details> {
  checkLimits(input);
  return deps.database.change(callIn(call, input.instanceId), async (tx) => {
    await authorizeInstance(tx, call, tx.instanceId, { systemPermission: "system.limits.write" });
    // Before it is locked: of two callers who set the first limits at once, neither may overwrite the other's.
    await insertLimits(tx);
    const stored = await holdLimits(tx);
    const wanted: Limits = {
      auditLogRetention:
        input.auditLogRetention === undefined ? stored?.auditLogRetention : input.auditLogRetention || undefined,
      isBlocked: input.isBlocked ?? stored?.isBlocked,
    };
    const isSame = stored?.auditLogRetention === wanted.auditLogRetention && stored?.isBlocked === wanted.isBlocked;
    if (stored !== undefined && stored.details.sequence > 0 && isSame) return stored.details;
    const { details } = await updateLimits(tx, wanted);
    tx.record({
      type: "limits.set",
      ...limitsAggregate(tx.instanceId),
      sequence: details.sequence,
      payload: {
        ...(input.auditLogRetention !== undefined && { auditLogRetention: input.auditLogRetention }),
        ...(input.isBlocked !== undefined && { block: input.isBlocked }),
      },
    });
    return details;
  });
}

/** Refuses limits without a value, and a negative time. `path` leads to the limits in the request. */
export function checkLimits({ auditLogRetention, isBlocked }: LimitsInput, path = ""): void {
  if (auditLogRetention === undefined && isBlocked === undefined) {
    throw new Fault("invalid_argument", "limits.none_given", { field: `${path}audit_log_retention` });
  }
  if (auditLogRetention !== undefined && auditLogRetention < 0) {
    throw new Fault("invalid_argument", "limits.retention_negative", { field: `${path}audit_log_retention` });
  }
}
