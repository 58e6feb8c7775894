import { UserFieldName as FirstFieldName } from "@doorward/api/service/user/v1/query_pb";
import { Type as FirstType } from "@doorward/api/service/user/v1/user_pb";
import type { UserFieldName } from "@doorward/api/service/user/v2/query_pb";
import type { Type } from "@doorward/api/service/user/v2/user_pb";
import type { UserKind } from "../../../domain/user/index.ts";
import type { UserFilter, UserSortColumn } from "../../../domain/user-search/index.ts";
import { refuseFilter, toTextMethod } from "../../contract/index.ts";

/** Columns of a sorted list. Both generations number them alike. */
export const sortColumns: Readonly<Record<number, UserSortColumn>> = {
  [FirstFieldName.UNSPECIFIED]: "createdAt",
  [FirstFieldName.USER_NAME]: "username",
  [FirstFieldName.FIRST_NAME]: "givenName",
  [FirstFieldName.LAST_NAME]: "familyName",
  [FirstFieldName.NICK_NAME]: "nickName",
  [FirstFieldName.DISPLAY_NAME]: "displayName",
  [FirstFieldName.EMAIL]: "email",
  [FirstFieldName.STATE]: "state",
  [FirstFieldName.TYPE]: "kind",
  [FirstFieldName.CREATION_DATE]: "createdAt",
} satisfies Record<FirstFieldName | UserFieldName, UserSortColumn>;

// Both generations number them alike.
const kinds: Readonly<Record<number, UserKind | undefined>> = {
  [FirstType.UNSPECIFIED]: undefined,
  [FirstType.HUMAN]: "human",
  [FirstType.MACHINE]: "machine",
} satisfies Record<FirstType | Type, UserKind | undefined>;

/** The conditions that are the same in both generations; `Query` is what a generation nests. */
type CommonCondition<Query> =
  | { readonly case: "userNameQuery"; readonly value: TextCondition<"userName"> }
  | { readonly case: "firstNameQuery"; readonly value: TextCondition<"firstName"> }
  | { readonly case: "lastNameQuery"; readonly value: TextCondition<"lastName"> }
  | { readonly case: "nickNameQuery"; readonly value: TextCondition<"nickName"> }
  | { readonly case: "displayNameQuery"; readonly value: TextCondition<"displayName"> }
  | { readonly case: "emailQuery"; readonly value: TextCondition<"emailAddress"> }
  | { readonly case: "loginNameQuery"; readonly value: TextCondition<"loginName"> }
  | { readonly case: "typeQuery"; readonly value: { readonly type: number } }
  | { readonly case: "inUserIdsQuery"; readonly value: { readonly userIds: readonly string[] } }
  | { readonly case: "inUserEmailsQuery"; readonly value: { readonly userEmails: readonly string[] } }
  | { readonly case: "andQuery" | "orQuery"; readonly value: { readonly queries: readonly Query[] } }
  | { readonly case: "notQuery"; readonly value: { readonly query?: Query | undefined } }
  | { readonly case: undefined };

type TextCondition<Field extends string> = Readonly<Record<Field, string>> & { readonly method: number };

/** Converts a condition that both generations have. `toFilter` converts nested conditions. */
export function toCommonFilter<Query>(
  query: CommonCondition<Query>,
  toFilter: (query: Query) => UserFilter,
): UserFilter {
  switch (query.case) {
    case "userNameQuery":
      return { by: "username", value: query.value.userName, method: toTextMethod(query.value.method) };
    case "firstNameQuery":
      return { by: "givenName", value: query.value.firstName, method: toTextMethod(query.value.method) };
    case "lastNameQuery":
      return { by: "familyName", value: query.value.lastName, method: toTextMethod(query.value.method) };
    case "nickNameQuery":
      return { by: "nickName", value: query.value.nickName, method: toTextMethod(query.value.method) };
    case "displayNameQuery":
      return { by: "displayName", value: query.value.displayName, method: toTextMethod(query.value.method) };
    case "emailQuery":
      return { by: "email", value: query.value.emailAddress, method: toTextMethod(query.value.method) };
    case "loginNameQuery":
      return { by: "loginName", value: query.value.loginName, method: toTextMethod(query.value.method) };
    case "typeQuery":
      return { by: "kind", kind: kinds[query.value.type] ?? refuseFilter("queries.typeQuery.type") };
    case "inUserIdsQuery":
      return { by: "ids", ids: query.value.userIds };
    case "inUserEmailsQuery":
      return { by: "emails", emails: query.value.userEmails };
    case "andQuery":
      return { by: "and", filters: query.value.queries.map(toFilter) };
    case "orQuery":
      return { by: "or", filters: query.value.queries.map(toFilter) };
    case "notQuery":
      if (query.value.query === undefined) return refuseFilter("queries.notQuery.query");
      return { by: "not", filter: toFilter(query.value.query) };
    case undefined:
      return refuseFilter("queries");
    default:
      return query satisfies never;
  }
}
