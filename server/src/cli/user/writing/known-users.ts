import type { ApiClient } from "../../api-call.ts";
import { listOf, recordOf, textOf } from "../../app/api-record.ts";

const userService = "user.v2.UserService";
// Conditions beyond five are limited for each caller, and lists with more than 50 are refused.
const namesAtOnce = 40;

/** A user of the server. */
export interface KnownUser {
  readonly id: string;
  readonly username: string;
  readonly organizationId: string;
}

/** Returns the users with these ids, as far as the token may see them. */
export async function findByIds(api: ApiClient, ids: readonly string[]): Promise<readonly KnownUser[]> {
  return ids.length === 0 ? [] : listUsers(api, { inUserIdsQuery: { userIds: ids } }, ids.length);
}

/** Returns the users with these usernames. */
export async function findByUsernames(api: ApiClient, usernames: readonly string[]): Promise<readonly KnownUser[]> {
  const found: KnownUser[] = [];
  for (let index = 0; index < usernames.length; index += namesAtOnce) {
    const queries = usernames.slice(index, index + namesAtOnce).map((userName) => ({
      userNameQuery: { userName, method: "TEXT_QUERY_METHOD_EQUALS_IGNORE_CASE" },
    }));
    found.push(...(await listUsers(api, { orQuery: { queries } }, 1000)));
  }
  return found;
}

async function listUsers(api: ApiClient, query: object, limit: number): Promise<readonly KnownUser[]> {
  const page = await api(`${userService}/ListUsers`, { query: { limit }, queries: [query] });
  return listOf(page, "result").map((user) => ({
    id: textOf(user, "userId"),
    username: textOf(user, "username"),
    organizationId: textOf(recordOf(user["details"]), "resourceOwner"),
  }));
}
