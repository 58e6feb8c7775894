import type { Instant } from "../../base/clock.ts";
import { type Reader, rowLock, sql, type Tx } from "../../database/index.ts";
import type { Quota } from "./quota.ts";

/** Lists the organizations of an instance that have scripts at a trigger, and had some by the instant. */
export async function listScriptOwners(reader: Reader, instanceId: string, by: Instant): Promise<string[]> {
  const rows = await reader.all<{ organizationId: string }>(sql`select f.organization_id as "organizationId"
    from flows f left join flow_scripts s
      on s.instance_id = ${instanceId} and s.organization_id = f.organization_id and s.flow = f.flow
    where f.instance_id = ${instanceId} group by f.organization_id
    having min(f.created_at) <= ${by} and count(s.script_id) > 0 order by f.organization_id`);
  return rows.map(({ organizationId }) => organizationId);
}

/** Finds the organizations that have a part of a quota in a period; undefined when that is not settled yet. */
export async function findSharers(
  reader: Reader,
  { instanceId, unit }: Pick<Quota, "instanceId" | "unit">,
  periodStart: Instant,
): Promise<string[] | undefined> {
  const row = await reader.maybe<Row>(sql`select organization_ids as "organizationIds" from quota_sharers
    where instance_id = ${instanceId} and unit = ${unit} and period_start = ${periodStart}`);
  return row && parse(row);
}

/**
 * Settles which organizations have a part of a quota in a period, unless another process did, and returns those that
 * have. Undefined when the quota is gone.
 */
export async function insertSharers(
  tx: Tx,
  { unit, quotaId }: Pick<Quota, "unit" | "quotaId">,
  { periodStart, sharers }: { readonly periodStart: Instant; readonly sharers: readonly string[] },
): Promise<string[] | undefined> {
  // The update changes nothing: it returns the row of the process that was first.
  const row = await tx.maybe<Row>(sql`insert into quota_sharers (instance_id, unit, period_start, organization_ids)
    select instance_id, unit, cast(${periodStart} as bigint), cast(${JSON.stringify(sharers)} as text) from quotas
      where instance_id = ${tx.instanceId} and unit = ${unit} and quota_id = ${quotaId} ${rowLock(tx, "share")}
    on conflict (instance_id, unit, period_start) do update set organization_ids = quota_sharers.organization_ids
    returning organization_ids as "organizationIds"`);
  return row && parse(row);
}

interface Row {
  readonly organizationIds: string;
}

const parse = ({ organizationIds }: Row): string[] => JSON.parse(organizationIds) as string[];
