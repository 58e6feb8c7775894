import { type Sql, sql, text } from "../../database/index.ts";
import { inViewFilter, type PeopleInView } from "../user/index.ts";
import type { ListedMember } from "./member-in-view.ts";

/** Returns the condition of `isMemberInView`. */
export function memberInViewFilter(view: PeopleInView, columns: { readonly [Name in keyof ListedMember]: Sql }): Sql {
  const { acceptedAt, ownerId, ...person } = columns;
  const isOwnerInView = inViewFilter(view, { userId: text("''"), organizationId: ownerId });
  return sql`(${inViewFilter(view, person)} or (${acceptedAt} is not null and ${isOwnerInView}))`;
}
