import { list, type Reader, rowLock, sql, type Tx } from "../../database/index.ts";

// One statement of some milliseconds.
const mostAtOnce = 500;
/** How many events are looked at in one unit of work, once the user is gone. */
const portion = 100;

interface ErasableEvent {
  readonly userId: string;
  readonly sequence: number;
  /** 1: it says something that is to be erased. */
  readonly says: number;
}

const says = sql`case when payload <> '{}' and type <> 'user.deleted' then 1 else 0 end as "says"`;

/**
 * Step: erases what the events of users say who were deleted in this unit of work: names, addresses, numbers and
 * accounts elsewhere. That something happened, when, and by whom, stays. Where that is too much for the unit, the users
 * are marked, and `eraseMarkedEvents` does it once they are gone: of a user whose deletion fails nothing is erased.
 */
export async function eraseEventsOfUsers(tx: Tx, userIds: readonly string[]): Promise<void> {
  const events = await tx.all<ErasableEvent>(sql`select aggregate_id as "userId", sequence, ${says} from events
    where instance_id = ${tx.instanceId} and aggregate_type = 'user' and aggregate_id in ${list(userIds)}
    order by aggregate_id, sequence limit ${mostAtOnce + 1}`);
  if (events.length <= mostAtOnce) return eraseEvents(tx, events);
  for (const userId of userIds) {
    await tx.run(sql`insert into event_erasures (instance_id, user_id) values (${tx.instanceId}, ${userId})
      on conflict do nothing`);
  }
}

/**
 * Step: erases a portion of what the events say of a user who is gone and marked. It goes on behind what is erased
 * already, and removes the mark at the end. Returns whether something may be left.
 */
export async function eraseMarkedEvents(tx: Tx, userId: string): Promise<boolean> {
  const mark = await tx.maybe<{ erasedTo: number }>(sql`select erased_to as "erasedTo" from event_erasures
    where instance_id = ${tx.instanceId} and user_id = ${userId} ${rowLock(tx, "alone")}`);
  if (mark === undefined) return false;
  const events = await tx.all<ErasableEvent>(sql`select aggregate_id as "userId", sequence, ${says} from events
    where instance_id = ${tx.instanceId} and aggregate_type = 'user' and aggregate_id = ${userId}
      and sequence > ${mark.erasedTo}
    order by sequence limit ${portion}`);
  await eraseEvents(tx, events);
  const last = events.at(-1);
  if (last === undefined || events.length < portion) {
    await tx.run(sql`delete from event_erasures where instance_id = ${tx.instanceId} and user_id = ${userId}`);
    return false;
  }
  await tx.run(sql`update event_erasures set erased_to = ${last.sequence}
    where instance_id = ${tx.instanceId} and user_id = ${userId}`);
  return true;
}

/**
 * Lists deleted users of an instance whose events are still to be erased, at first those of whom least is erased: one
 * with very many events does not keep the others.
 */
export async function listMarkedUsers(reader: Reader, instanceId: string, limit: number): Promise<string[]> {
  const rows = await reader.all<{ userId: string }>(sql`select user_id as "userId" from event_erasures
    where instance_id = ${instanceId} order by erased_to, user_id limit ${limit}`);
  return rows.map(({ userId }) => userId);
}

/** Lists instances with deleted users whose events are still to be erased. */
export async function listInstancesToErase(reader: Reader): Promise<string[]> {
  const rows = await reader.all<{ instanceId: string }>(sql`select distinct instance_id as "instanceId"
    from event_erasures`);
  return rows.map(({ instanceId }) => instanceId);
}

async function eraseEvents(tx: Tx, events: readonly ErasableEvent[]): Promise<void> {
  const saying = events.filter((event) => event.says === 1);
  for (const [userId, sequences] of Map.groupBy(saying, (event) => event.userId)) {
    await tx.run(sql`update events set payload = '{}'
      where instance_id = ${tx.instanceId} and aggregate_type = 'user' and aggregate_id = ${userId}
        and sequence in ${list(sequences.map(({ sequence }) => sequence))}`);
  }
}
