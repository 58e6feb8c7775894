import type { Tx } from "./database.ts";
import { list, sql } from "./sql.ts";

/**
 * Returns the first sequence of a new resource: 1, or the next one after the history of a deleted resource with the
 * same identifier. One that was just generated (undefined) has no history.
 */
export async function firstSequence(tx: Tx, aggregateType: string, aggregateId: string | undefined): Promise<number> {
  if (aggregateId === undefined) return 1;
  const row = await tx.maybe<{ first: number }>(sql`select coalesce(max(sequence), 0) + 1 as "first" from events
    where instance_id = ${tx.instanceId} and aggregate_type = ${aggregateType} and aggregate_id = ${aggregateId}`);
  return row?.first ?? 1;
}

/** Returns the same for several identifiers; those without a history are absent. */
export async function firstSequencesAfter(
  tx: Tx,
  aggregateType: string,
  aggregateIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await tx.all<{ id: string; first: number }>(sql`select aggregate_id as "id", max(sequence) + 1 as "first"
    from events where instance_id = ${tx.instanceId} and aggregate_type = ${aggregateType}
      and aggregate_id in ${list(aggregateIds)} group by aggregate_id`);
  return new Map(rows.map(({ id, first }) => [id, first]));
}
