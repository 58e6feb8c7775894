import type { Call } from "../../call/index.ts";
import { type Database, sql } from "../../database/index.ts";

/**
 * Merges rows of `user_counts` with the same key. On PostgreSQL every change of users adds rows, so that none waits for
 * another; the embedded database has one row of each and nothing to merge. Any number of nodes may do it at once: what
 * one takes, the others do not. Returns how many rows are gone.
 */
export async function foldUserCounts({ database }: { readonly database: Database }, call: Call): Promise<number> {
  if (database.engine === "sqlite") return 0;
  return database.touch(call, async (tx) => {
    const [folded] = await tx.all<{ count: number }>(sql`with gone as (
        delete from user_counts c using (select instance_id, organization_id, kind, state from user_counts
          group by instance_id, organization_id, kind, state having count(*) > 1) many
        where c.instance_id = many.instance_id and c.organization_id = many.organization_id and c.kind = many.kind and c.state = many.state
        returning c.instance_id, c.organization_id, c.kind, c.state, c.amount),
      put as (insert into user_counts (instance_id, organization_id, kind, state, amount)
        select instance_id, organization_id, kind, state, sum(amount) from gone
        group by instance_id, organization_id, kind, state having sum(amount) <> 0 returning 1)
      select (select count(*) from gone) - (select count(*) from put) as "count"`);
    return folded?.count ?? 0;
  });
}
