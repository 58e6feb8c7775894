import type { Call } from "../call/index.ts";
import type { Database, Tx } from "./database.ts";
import { type Sql, sql } from "./sql.ts";

/** A table of counts, by instance and further columns, with the column `amount`. */
export interface CountedTable {
  readonly table: Sql;
  /** The columns besides the instance by which it counts: `organization_id, kind`. */
  readonly columns: Sql;
}

/**
 * Merges rows of a table that count the same, in a unit of work of each instance. On PostgreSQL every transaction adds
 * rows of its own, so that none waits for another; the embedded database has one row of each and nothing to merge. Any
 * number of nodes may do it at once: what one takes, the others do not. Returns how many rows are gone.
 */
export async function foldCounts(database: Database, call: Call, { table, columns }: CountedTable): Promise<number> {
  if (database.engine === "sqlite") return 0;
  const instances = await database.read.all<{ instanceId: string }>(sql`select distinct instance_id as "instanceId"
    from (select instance_id from ${table} group by instance_id, ${columns} having count(*) > 1) many`);
  let count = 0;
  for (const { instanceId } of instances) {
    count += await database.touch({ ...call, instanceId }, (tx) => foldOfInstance(tx, { table, columns }));
  }
  return count;
}

async function foldOfInstance(tx: Tx, { table, columns }: CountedTable): Promise<number> {
  const folded = await tx.maybe<{ count: number }>(sql`with gone as (
      delete from ${table} where instance_id = ${tx.instanceId} and (${columns}) in
        (select ${columns} from ${table} where instance_id = ${tx.instanceId} group by ${columns} having count(*) > 1)
      returning instance_id, ${columns}, amount),
    put as (insert into ${table} (instance_id, ${columns}, amount)
      select instance_id, ${columns}, sum(amount) from gone group by instance_id, ${columns}
      having sum(amount) <> 0 returning 1)
    select (select count(*) from gone) - (select count(*) from put) as "count"`);
  return folded?.count ?? 0;
}
