import { ByteFilterMethod } from "@doorward/api/service/filter/v2/filter_pb";
import { type SearchQuery, UserFieldName } from "@doorward/api/service/user/v2/query_pb";
import { Type } from "@doorward/api/service/user/v2/user_pb";
import { UserService } from "@doorward/api/service/user/v2/user_service_pb";
import {
  type Binding,
  bind,
  refuseFilter,
  toDetails,
  toListDetails,
  toPage,
  toTextMethod,
} from "../../contract/index.ts";
import type { Database } from "../../database/index.ts";
import { getUser, listUsers } from "./list-users.ts";
import type { UserFilter } from "./user-filter.store.ts";
import type { UserSortColumn } from "./user-list.store.ts";
import { fromStateMessage, toUserMessage } from "./user-message.rpc.ts";

const sortColumns: Readonly<Record<UserFieldName, UserSortColumn>> = {
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

/** UserService: reading users. */
export const userListMethods = (deps: { readonly database: Database }): Binding =>
  bind(UserService, {
    getUserByID: async (call, { userId }) => {
      const user = await getUser(deps, call, { userId });
      return { details: toDetails(user.details), user: toUserMessage(user) };
    },
    listUsers: async (call, { query, sortingColumn, queries }) => {
      const { page, isDescending } = toPage(query, "query");
      const sortBy = sortColumns[sortingColumn] ?? refuseFilter("sortingColumn");
      const filters = queries.map((each) => toFilter(each));
      const { users, total } = await listUsers(deps, call, { filters, sortBy, isDescending, page });
      return { details: toListDetails(total, call.now), sortingColumn, result: users.map(toUserMessage) };
    },
  });

function toFilter({ query }: SearchQuery): UserFilter {
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
    case "phoneQuery":
      return { by: "phone", value: query.value.number, method: toTextMethod(query.value.method) };
    case "loginNameQuery":
      return { by: "loginName", value: query.value.loginName, method: toTextMethod(query.value.method) };
    case "stateQuery":
      return { by: "state", state: fromStateMessage(query.value.state) ?? refuseFilter("queries.stateQuery.state") };
    case "typeQuery":
      return { by: "kind", kind: kinds[query.value.type] ?? refuseFilter("queries.typeQuery.type") };
    case "inUserIdsQuery":
      return { by: "ids", ids: query.value.userIds };
    case "inUserEmailsQuery":
      return { by: "emails", emails: query.value.userEmails };
    case "organizationIdQuery":
      return { by: "organization", organizationId: query.value.organizationId };
    default:
      return toOtherFilter(query);
  }
}

const kinds: Readonly<Partial<Record<Type, "human" | "machine">>> = {
  [Type.HUMAN]: "human",
  [Type.MACHINE]: "machine",
};

type Other = "metadataKeyFilter" | "metadataValueFilter" | "andQuery" | "orQuery" | "notQuery" | undefined;

function toOtherFilter(query: Extract<SearchQuery["query"], { case: Other }>): UserFilter {
  switch (query.case) {
    case "metadataKeyFilter":
      return { by: "metadataKey", key: query.value.key, method: toTextMethod(query.value.method) };
    case "metadataValueFilter": {
      const isEqual = query.value.method === ByteFilterMethod.EQUALS;
      return { by: "metadataValue", value: query.value.value, isEqual };
    }
    case "andQuery":
      return { by: "and", filters: query.value.queries.map(toFilter) };
    case "orQuery":
      return { by: "or", filters: query.value.queries.map(toFilter) };
    case "notQuery":
      return {
        by: "not",
        filter: query.value.query === undefined ? refuseFilter("queries") : toFilter(query.value.query),
      };
    case undefined:
      return refuseFilter("queries");
    default:
      return query satisfies never;
  }
}
