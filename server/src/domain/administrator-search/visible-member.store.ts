import { type Sql, sql, text } from "../../database/index.ts";
import { inViewFilter, type VisibleUsers } from "../user/index.ts";
import type { ListedMember } from "./visible-member.ts";

/** Returns the condition of `isVisibleMember`. */
export function visibleMemberFilter(view: VisibleUsers, columns: { readonly [Name in keyof ListedMember]: Sql }): Sql {
  const { acceptedAt, ownerId, ...person } = columns;
  const isOwnerInView = inViewFilter(view, { userId: text("''"), organizationId: ownerId });
  return sql`(${inViewFilter(view, person)} or (${acceptedAt} is not null and ${isOwnerInView}))`;
}
