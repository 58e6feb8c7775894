import { type SearchQuery, UserFieldName } from "@doorward/api/service/user/v1/query_pb";
import { Type } from "@doorward/api/service/user/v1/user_pb";
import { refuseFilter, toTextMethod } from "../../contract/index.ts";
import type { UserFilter } from "./user-filter.store.ts";
import type { UserSortColumn } from "./user-list.store.ts";
import { fromStateV1 } from "./user-v1-message.rpc.ts";

/** Columns of a sorted list of the first generation. */
export const sortColumnsV1: Readonly<Record<number, UserSortColumn>> = {
  [UserFieldName.UNSPECIFIED]: "createdAt",
  [UserFieldName.USER_NAME]: "username",
  [UserFieldName.FIRST_NAME]: "givenName",
  [UserFieldName.LAST_NAME]: "familyName",
  [UserFieldName.NICK_NAME]: "nickName",
  [UserFieldName.DISPLAY_NAME]: "displayName",
  [UserFieldName.EMAIL]: "email",
  [UserFieldName.STATE]: "state",
  [UserFieldName.TYPE]: "kind",
  [UserFieldName.CREATION_DATE]: "createdAt",
};

/** A condition of the first generation. */
export function toUserFilterV1({ query }: SearchQuery): UserFilter {
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
    case "stateQuery":
      return { by: "state", state: fromStateV1(query.value.state) ?? refuseFilter("queries.stateQuery.state") };
    case "typeQuery":
      return { by: "kind", kind: kinds[query.value.type] ?? refuseFilter("queries.typeQuery.type") };
    case "inUserIdsQuery":
      return { by: "ids", ids: query.value.userIds };
    case "inUserEmailsQuery":
      return { by: "emails", emails: query.value.userEmails };
    case "andQuery":
      return { by: "and", filters: query.value.queries.map(toUserFilterV1) };
    case "orQuery":
      return { by: "or", filters: query.value.queries.map(toUserFilterV1) };
    case "notQuery":
      if (query.value.query === undefined) return refuseFilter("queries.notQuery.query");
      return { by: "not", filter: toUserFilterV1(query.value.query) };
    case undefined:
      return refuseFilter("queries");
    default:
      return query satisfies never;
  }
}

const kinds: Readonly<Partial<Record<Type, "human" | "machine">>> = {
  [Type.HUMAN]: "human",
  [Type.MACHINE]: "machine",
};
