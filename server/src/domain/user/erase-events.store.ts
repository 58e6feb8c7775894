import { list, performAll, type Reader, type Sql, sql, type Tx } from "../../database/index.ts";

// One statement of some milliseconds.
const mostAtOnce = 500;

const saying = (tx: Tx, userIds: readonly string[], condition: Sql): Sql => sql`from events
  where instance_id = ${tx.instanceId} and aggregate_type = 'user' and aggregate_id in ${list(userIds)}
    and payload <> '{}' and type <> 'user.deleted' and ${condition}`;

/**
 * Step: erases what the events of users say who were deleted in this unit of work: names, addresses, numbers and
 * accounts elsewhere. That something happened, when, and by whom, stays. Where that is too much for the unit, the users
 * are marked, and `eraseMarkedEvents` does it once they are gone: of a user whose deletion fails nothing is erased.
 */
export async function eraseEventsOfUsers(tx: Tx, userIds: readonly string[]): Promise<void> {
  const events = await listEvents(tx, userIds, { condition: sql`1 = 1`, limit: mostAtOnce + 1 });
  if (events.length <= mostAtOnce) return eraseEvents(tx, events);
  for (const userId of userIds) {
    await tx.run(sql`insert into event_erasures (instance_id, user_id) values (${tx.instanceId}, ${userId})
      on conflict do nothing`);
  }
}

/** Step: erases in batches what the events say of users who are gone and marked, and removes the marks. */
export async function eraseMarkedEvents(tx: Tx, userIds: readonly string[]): Promise<void> {
  await performAll(tx, {
    list: (own, limit) => listEvents(own, userIds, { condition: isMarked(own.instanceId), limit }),
    perform: eraseEvents,
  });
  await tx.run(sql`delete from event_erasures where instance_id = ${tx.instanceId} and user_id in ${list(userIds)}`);
}

const isMarked = (instanceId: string): Sql => sql`exists (select 1 from event_erasures m
  where m.instance_id = ${instanceId} and m.user_id = events.aggregate_id)`;

/** Lists deleted users of an instance whose events are still to be erased. */
export async function listMarkedUsers(reader: Reader, instanceId: string, limit: number): Promise<string[]> {
  const rows = await reader.all<{ userId: string }>(sql`select user_id as "userId" from event_erasures
    where instance_id = ${instanceId} order by user_id limit ${limit}`);
  return rows.map(({ userId }) => userId);
}

/** Lists instances with deleted users whose events are still to be erased. */
export async function listInstancesToErase(reader: Reader): Promise<string[]> {
  const rows = await reader.all<{ instanceId: string }>(sql`select distinct instance_id as "instanceId"
    from event_erasures`);
  return rows.map(({ instanceId }) => instanceId);
}

interface EventKey {
  readonly userId: string;
  readonly sequence: number;
}

function listEvents(
  tx: Tx,
  userIds: readonly string[],
  { condition, limit }: { readonly condition: Sql; readonly limit: number },
): Promise<EventKey[]> {
  return tx.all<EventKey>(sql`select aggregate_id as "userId", sequence ${saying(tx, userIds, condition)}
    order by aggregate_id, sequence limit ${limit}`);
}

async function eraseEvents(tx: Tx, events: readonly EventKey[]): Promise<void> {
  for (const [userId, sequences] of Map.groupBy(events, (event) => event.userId)) {
    await tx.run(sql`update events set payload = '{}'
      where instance_id = ${tx.instanceId} and aggregate_type = 'user' and aggregate_id = ${userId}
        and sequence in ${list(sequences.map(({ sequence }) => sequence))}`);
  }
}
