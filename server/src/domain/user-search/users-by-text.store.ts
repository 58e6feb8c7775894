import { addressKey } from "../../base/names/address-key.ts";
import { foldedCandidates, type Part, type Sql, sql, type TextMethod, text, textFilter } from "../../database/index.ts";
import { foldedFields, ofList } from "./user-fields.store.ts";
import { isEquality } from "./user-filter.store.ts";
import { type SearchContext, wordCandidates } from "./user-words.store.ts";

const columns = {
  preferredLoginName: text("users.preferred_login_name"),
  displayName: text("users.display_name"),
  username: text("users.username"),
  givenName: text("users.given_name"),
  familyName: text("users.family_name"),
  email: text("users.email"),
} as const;

interface NameSearch {
  readonly by: keyof typeof columns;
  readonly method: TextMethod;
  readonly value: string;
}

/** Users with a name that is, or contains, a text. */
interface UsersByText {
  /** Returns the condition that the user with this id is one. */
  readonly isMatch: (userId: Sql) => Sql;
  /** A statement of their ids, where an index finds them; a text of fewer than three letters has none. */
  readonly found: Sql | undefined;
  /** The same users one after another, each of them once: for a join that need not read all of them. */
  readonly parts: readonly Part[];
}

/** Finds users with a name that is, or contains, a text: for lists of what belongs to users. */
export function usersByText(context: SearchContext, search: NameSearch): UsersByText {
  const isNamed = textFilter(columns[search.by], search.method, search.value);
  const byIndex = findByIndex(search);
  const byWords = byIndex === undefined ? wordCandidates(context, search.value) : undefined;
  const candidates = byIndex ?? byWords?.condition;
  const isFound = sql`${ofList(context.instanceId)} and ${isNamed}`;
  const parts = byWords?.parts ?? [{ from: text("users"), where: candidates ?? isNamed }];
  return {
    // Looked up for each row by itself: for `exists` PostgreSQL may read all users first.
    isMatch: (userId) => sql`(select 1 from users
      where users.instance_id = ${context.instanceId} and users.user_id = ${userId} and ${isNamed} limit 1) is not null`,
    found: candidates && sql`select users.user_id from users where ${candidates} and ${isFound}`,
    parts: parts.map(({ from, where }) => ({ from, where: sql`${where} and ${isFound}` })),
  };
}

function findByIndex({ by, method, value }: NameSearch): Sql | undefined {
  if (by !== "preferredLoginName") return foldedCandidates(foldedFields[by], method, value)?.condition;
  return isEquality(method) ? sql`users.login_name_key = ${addressKey(value)}` : undefined;
}
