import { type Reader, type Sql, sql, type TextMethod, text, textFilter } from "../../database/index.ts";
import { wordCandidates } from "./user-candidates.store.ts";

const columns = {
  preferredLoginName: text("users.preferred_login_name"),
  displayName: text("users.display_name"),
  username: text("users.username"),
  givenName: text("users.given_name"),
  familyName: text("users.family_name"),
  email: text("users.email"),
} as const;

/** A statement of the ids of users one of whose names is, or has, a text: for lists of what belongs to users. */
export function usersByText(
  { engine, instanceId }: { readonly engine: Reader["engine"]; readonly instanceId: string },
  search: { readonly by: keyof typeof columns; readonly method: TextMethod; readonly value: string },
): Sql {
  const words = wordCandidates({ engine, instanceId }, search.value)?.condition ?? text("1 = 1");
  return sql`select users.user_id from users where users.instance_id = ${instanceId} and ${words}
    and ${textFilter(columns[search.by], search.method, search.value)}`;
}
