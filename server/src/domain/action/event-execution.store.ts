import { list, type Reader, sql } from "../../database/index.ts";

/** The namespace word of executions that name everything as we do. */
const ownWord = "service";

/** A target that listens to events, in one of the instances. `since`: when its execution was first set. */
export interface EventTarget {
  readonly instanceId: string;
  readonly executionId: string;
  readonly targetId: string;
  readonly since: number;
  /** Whether the execution was set through an alias, or names an event as the interface does. */
  readonly isOriginal: boolean;
}

/** Lists the targets of all executions for events, in the order in which they are called. */
export async function listEventTargets(reader: Reader, instanceIds: readonly string[]): Promise<EventTarget[]> {
  const rows = await reader.all<
    Omit<EventTarget, "isOriginal"> & { word: string }
  >(sql`select e.instance_id as "instanceId", e.execution_id as "executionId",
      t.target_id as "targetId", e.created_at as "since", e.word
    from executions e
    join execution_targets t on t.instance_id = e.instance_id and t.execution_id = e.execution_id
    where e.kind = 'event' and e.instance_id in ${list(instanceIds)}
    order by e.instance_id, e.execution_id, t.place`);
  return rows.map(({ word, ...target }) => ({ ...target, isOriginal: word !== ownWord }));
}

/**
 * Returns the position in the feed of the event that set the oldest execution for events: nothing before it has to be
 * read. Undefined when no instance has such an execution.
 */
export async function findFirstEventExecution(
  reader: Reader,
): Promise<{ readonly transactionId: string; readonly position: number } | undefined> {
  // Most installations have none, and planning the join costs a new connection more than anything else at a start.
  const any = await reader.maybe(sql`select 1 as "found" from executions where kind = 'event' limit 1`);
  if (any === undefined) return undefined;
  const since = sql`from executions e join events v on v.instance_id = e.instance_id and v.aggregate_type = 'execution'
      and v.aggregate_id = e.execution_id and v.sequence = e.first_sequence
    where e.kind = 'event'`;
  return reader.maybe(
    reader.engine === "sqlite"
      ? sql`select '0' as "transactionId", v.position ${since} order by v.position limit 1`
      : sql`select v.transaction_id::text as "transactionId", v.position ${since}
          order by v.transaction_id, v.position limit 1`,
  );
}
