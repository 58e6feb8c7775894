import { list, performAll, sql, type Tx } from "../../database/index.ts";

/**
 * Step: erases what the events of users who are being deleted say: names, addresses, numbers and accounts elsewhere.
 * That something happened, when, and by whom, stays.
 */
export function eraseEventsOfUsers(tx: Tx, userIds: readonly string[]): Promise<void> {
  return performAll(tx, {
    list: (own, limit) =>
      own.all<EventKey>(sql`select aggregate_id as "userId", sequence from events
        where instance_id = ${own.instanceId} and aggregate_type = 'user' and aggregate_id in ${list(userIds)}
          and payload <> '{}' order by aggregate_id, sequence limit ${limit}`),
    perform: async (own, events) => {
      for (const [userId, sequences] of Map.groupBy(events, (event) => event.userId)) {
        await own.run(sql`update events set payload = '{}'
          where instance_id = ${own.instanceId} and aggregate_type = 'user' and aggregate_id = ${userId}
            and sequence in ${list(sequences.map(({ sequence }) => sequence))}`);
      }
    },
  });
}

interface EventKey {
  readonly userId: string;
  readonly sequence: number;
}
