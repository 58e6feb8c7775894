import { type Reader, sql } from "../../database/index.ts";

/** Whether an instance has any human user, whatever their state. */
export async function hasHumanUsers(reader: Reader, instanceId: string): Promise<boolean> {
  const found = await reader.maybe(sql`select user_id from users
    where instance_id = ${instanceId} and kind = 'human' limit 1`);
  return found !== undefined;
}
