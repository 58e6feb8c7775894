import type { Tx } from "./database.ts";
import { type Sql, sql } from "./sql.ts";

/**
 * Returns the first sequence of a new resource: 1, or the next one after the history of a deleted resource with the
 * same identifier. A fragment for the `values` of an insert.
 */
export function firstSequence(tx: Tx, aggregateType: string, aggregateId: string): Sql {
  return sql`(select coalesce(max(sequence), 0) + 1 from events
    where instance_id = ${tx.instanceId} and aggregate_type = ${aggregateType} and aggregate_id = ${aggregateId})`;
}
