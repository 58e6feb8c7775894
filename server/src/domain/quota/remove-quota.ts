import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import type { Database, Details } from "../../database/index.ts";
import { authorizeInstance, callIn } from "../instance/index.ts";
import { deleteQuota, holdQuota } from "./quota.store.ts";
import { type QuotaUnit, quotaAggregate } from "./quota.ts";

/** Removes a quota of an instance with what was counted, for system users. */
export function removeQuota(
  deps: { readonly database: Database },
  call: Call,
  { instanceId, unit }: { readonly instanceId: string; readonly unit: QuotaUnit },
): Promise<Details> {
  return deps.database.change(callIn(call, instanceId), async (tx) => {
    await authorizeInstance(tx, call, tx.instanceId, { systemPermission: "system.quota.delete" });
    const stored = await holdQuota(tx, unit);
    if (stored === undefined) throw new Fault("not_found", "quota.not_found", { field: "unit" });
    await deleteQuota(tx, unit);
    const sequence = stored.details.sequence + 1;
    tx.record({ type: "quota.removed", ...quotaAggregate(stored), sequence, payload: { unit } });
    return { ...stored.details, sequence, changedAt: tx.now };
  });
}
