import type { Call } from "../../call/index.ts";
import type { Database, Details } from "../../database/index.ts";
import { authorizeInstance, callIn } from "./authorize-instance.ts";
import { holdLimits, updateLimits } from "./limits.store.ts";
import { limitsAggregate } from "./limits.ts";

/** Removes all limits of an instance, for system users. Returns undefined when none were ever set. */
export async function resetLimits(
  deps: { readonly database: Database },
  call: Call,
  { instanceId }: { readonly instanceId: string },
): Promise<Details | undefined> {
  return deps.database.change(callIn(call, instanceId), async (tx) => {
    await authorizeInstance(tx, call, tx.instanceId, { systemPermission: "system.limits.delete" });
    const stored = await holdLimits(tx);
    if (stored === undefined) return undefined;
    if (stored.auditLogRetention === undefined && stored.isBlocked === undefined) return stored.details;
    const { details } = await updateLimits(tx, {});
    tx.record({ type: "limits.reset", ...limitsAggregate(tx.instanceId), sequence: details.sequence });
    return details;
  });
}
