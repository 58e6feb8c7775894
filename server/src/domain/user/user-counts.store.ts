import type { Call } from "../../call/index.ts";
import { type Database, sql, type Tx, text } from "../../database/index.ts";

/**
 * Merges rows of `user_counts` that count the same. On PostgreSQL every transaction that changes users adds rows, so
 * that none waits for another; the embedded database has one row of each and nothing to merge. Any number of nodes may
 * do it at once: what one takes, the others do not. Returns how many rows are gone.
 */
export async function foldUserCounts({ database }: { readonly database: Database }, call: Call): Promise<number> {
  if (database.engine === "sqlite") return 0;
  const instances = await database.read.all<{ instanceId: string }>(sql`select distinct instance_id as "instanceId"
    from (select instance_id from user_counts group by instance_id, organization_id, kind, state having count(*) > 1) many`);
  let count = 0;
  for (const { instanceId } of instances) count += await database.touch({ ...call, instanceId }, foldOfInstance);
  return count;
}

async function foldOfInstance(tx: Tx): Promise<number> {
  const columns = text("organization_id, kind, state");
  const folded = await tx.maybe<{ count: number }>(sql`with gone as (
      delete from user_counts where instance_id = ${tx.instanceId} and (${columns}) in
        (select ${columns} from user_counts where instance_id = ${tx.instanceId} group by ${columns} having count(*) > 1)
      returning instance_id, ${columns}, amount),
    put as (insert into user_counts (instance_id, ${columns}, amount)
      select instance_id, ${columns}, sum(amount) from gone group by instance_id, ${columns}
      having sum(amount) <> 0 returning 1)
    select (select count(*) from gone) - (select count(*) from put) as "count"`);
  return folded?.count ?? 0;
}
