import { isDeepStrictEqual } from "node:util";
import type { Call } from "../../call/index.ts";
import type { Details } from "../../database/index.ts";
import { authorizeInstance, callIn } from "../instance/index.ts";
import type { QuotaDeps, QuotaInput } from "./add-quota.ts";
import { checkQuota } from "./check-quota.ts";
import { holdQuota, insertQuota, updateQuota } from "./quota.store.ts";
import type { Quota, QuotaTerms } from "./quota.ts";
import { recordQuota } from "./record-quota.ts";

/**
 * Sets the quota of an instance for a unit, whether or not there was one, for system users. What was counted in the
 * period stays, unless the period itself changes. The current terms change nothing.
 */
export function setQuota(deps: QuotaDeps, call: Call, { instanceId, ...input }: QuotaInput): Promise<Details> {
  checkQuota(deps, input);
  const { unit, ...terms } = input;
  return deps.database.change(callIn(call, instanceId), async (tx) => {
    await authorizeInstance(tx, call, tx.instanceId, { systemPermission: "system.quota.write" });
    const added = await insertQuota(tx, { ...input, quotaId: deps.newId() });
    if (added !== undefined) {
      recordQuota(tx, "quota.set", added);
      return added.details;
    }
    const stored = await holdQuota(tx, unit);
    if (stored !== undefined && isDeepStrictEqual(termsOf(stored), terms)) return stored.details;
    const quota = await updateQuota(tx, unit, terms);
    recordQuota(tx, "quota.set", quota);
    return quota.details;
  });
}

const termsOf = ({ beginsAt, resetInterval, amount, isLimited, notifications }: Quota): QuotaTerms => ({
  beginsAt,
  resetInterval,
  amount,
  isLimited,
  notifications,
});
