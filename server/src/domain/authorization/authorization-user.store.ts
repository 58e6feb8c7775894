import { type ListFilter, picked, type Reader, sql, text } from "../../database/index.ts";
import { usersByText } from "../user-search/index.ts";

/** The scope of a search for assignments by their users. */
export interface FilterContext {
  readonly engine: Reader["engine"];
  readonly instanceId: string;
  readonly commonParts: ReadonlySet<string>;
}

/** The assignments of users with a text. A row is judged by its own user; only an index finds users first. */
export function ofUsers(context: FilterContext, search: Parameters<typeof usersByText>[1]): ListFilter {
  const { engine, instanceId } = context;
  const { isMatch, found, parts } = usersByText(context, search);
  const condition = picked(isMatch(text("a.user_id")));
  if (found === undefined) return { condition, candidates: undefined };
  const isOfUser = sql`a.instance_id = ${instanceId} and a.user_id = users.user_id`;
  // With `offset` PostgreSQL looks up those of one user after another, as SQLite does, and does not read all of them.
  const ofUser =
    engine === "sqlite"
      ? text("authorizations a")
      : sql`lateral (select * from authorizations a where ${isOfUser} offset 0) a`;
  return {
    condition,
    candidates: {
      condition: sql`a.user_id in (${found})`,
      isExact: true,
      parts: parts.map(({ from, where }) => ({
        from: sql`${from} cross join ${ofUser}`,
        where: sql`${where} and ${isOfUser}`,
      })),
    },
  };
}
