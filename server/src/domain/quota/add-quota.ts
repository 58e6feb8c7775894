import { Fault } from "../../base/fault.ts";
import type { IdGenerator } from "../../base/id.ts";
import type { Call } from "../../call/index.ts";
import type { Database, Details } from "../../database/index.ts";
import { authorizeInstance, callIn } from "../instance/index.ts";
import { type CheckQuotaDeps, checkQuota } from "./check-quota.ts";
import { insertQuota } from "./quota.store.ts";
import type { QuotaTerms, QuotaUnit } from "./quota.ts";
import { recordQuota } from "./record-quota.ts";

export interface QuotaDeps extends CheckQuotaDeps {
  readonly database: Database;
  readonly newId: IdGenerator;
}

export interface QuotaInput extends QuotaTerms {
  readonly instanceId: string;
  readonly unit: QuotaUnit;
}

/** Adds a quota to an instance, for system users. Throws `already_exists` when the instance has one of this unit. */
export function addQuota(deps: QuotaDeps, call: Call, { instanceId, ...input }: QuotaInput): Promise<Details> {
  checkQuota(deps, input);
  return deps.database.change(callIn(call, instanceId), async (tx) => {
    await authorizeInstance(tx, call, tx.instanceId, { systemPermission: "system.quota.write" });
    const added = await insertQuota(tx, { ...input, quotaId: deps.newId() });
    if (added === undefined) throw new Fault("already_exists", "quota.already_exists", { field: "unit" });
    recordQuota(tx, "quota.added", added);
    return added.details;
  });
}
