import type { Call } from "../../call/index.ts";
import { join, type Reader, sql } from "../../database/index.ts";
import { toUser, type User, type UserRow, userColumns } from "../user/index.ts";
import { toConditions, type UserFilter } from "./user-filter.store.ts";
import { isReadable } from "./user-list.store.ts";

/** Users that one statement looks at, whichever of them match. */
const windowSize = 5000;
/** Windows without enough users, after which the caller is given what there is. */
const mostWindows = 10;

/** A part of a list that is read from its beginning to its end. */
export interface UsersPart {
  readonly users: readonly User[];
  /** Where the next part begins; undefined at the end. */
  readonly next: string | undefined;
}

/**
 * Reads the next users by their ids that match all filters and that the caller may read. What a part costs does not
 * depend on the length of the list, nor on how few match.
 */
export async function readUsersAfter(
  reader: Reader,
  call: Call,
  filters: readonly UserFilter[],
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<UsersPart> {
  const { instanceId } = call;
  const conditions = [isReadable(call), ...toConditions(instanceId, filters)];
  const users: User[] = [];
  let from = after;
  for (let count = 0; count < mostWindows; count++) {
    const window = await reader.maybe<{ last: string | null; size: number }>(sql`select max(w.user_id) as "last",
        count(*) as "size" from (select user_id from users where instance_id = ${instanceId} and user_id > ${from}
        order by user_id limit ${windowSize}) w`);
    const last = window?.last ?? undefined;
    if (last === undefined) return { users, next: undefined };
    const left = limit - users.length;
    const rows = await reader.all<UserRow>(sql`select ${userColumns} from users
      where users.instance_id = ${instanceId} and users.user_id > ${from} and users.user_id <= ${last}
        and ${join(conditions, " and ")}
      order by users.user_id limit ${left}`);
    users.push(...rows.map(toUser));
    if (rows.length === left) return { users, next: users.at(-1)?.userId };
    if (Number(window?.size) < windowSize) return { users, next: undefined };
    from = last;
  }
  return { users, next: from };
}
