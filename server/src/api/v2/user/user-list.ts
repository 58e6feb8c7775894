import { ByteFilterMethod } from "@doorward/api/service/filter/v2/filter_pb";
import type { SearchQuery } from "@doorward/api/service/user/v2/query_pb";
import { UserService } from "@doorward/api/service/user/v2/user_service_pb";
import type { Database } from "../../../database/index.ts";
import type { OriginOf } from "../../../domain/instance/index.ts";
import { getUser, listUsers, type UserFilter } from "../../../domain/user-search/index.ts";
import {
  type Binding,
  bind,
  refuseFilter,
  toDetails,
  toListDetails,
  toPage,
  toTextMethod,
} from "../../contract/index.ts";
import { fromStateMessage, toUserMessage } from "./user-message.ts";
import { sortColumns, toCommonFilter } from "./user-search.ts";

/** UserService: reading users. */
export const userListMethods = (deps: { readonly database: Database; readonly originOf: OriginOf }): Binding =>
  bind(UserService, {
    getUserByID: async (call, { userId }) => {
      const user = await getUser(deps, call, { userId });
      return { details: toDetails(user.details), user: toUserMessage(user, await deps.originOf(call.instanceId)) };
    },
    listUsers: async (call, { query, sortingColumn, queries, pageToken }) => {
      const { page, isDescending } = toPage(
        query && { ...query, offset: pageToken === "" ? query.offset : 0n },
        "query",
      );
      const sortBy = sortColumns[sortingColumn] ?? refuseFilter("sortingColumn");
      const filters = queries.map((each) => toUserFilter(each));
      const input = { filters, sortBy, isDescending, page, pageToken };
      const { users, total, next = "", previous = "" } = await listUsers(deps, call, input);
      const origin = await deps.originOf(call.instanceId);
      const result = users.map((user) => toUserMessage(user, origin));
      const tokens = { nextPageToken: next, previousPageToken: previous };
      return { details: toListDetails(total, call.now), sortingColumn, result, ...tokens };
    },
  });

/** Reads a condition of version 2. */
export function toUserFilter({ query }: SearchQuery): UserFilter {
  switch (query.case) {
    case "stateQuery":
      return { by: "state", state: fromStateMessage(query.value.state) ?? refuseFilter("queries.stateQuery.state") };
    case "blockedQuery":
      return { by: "blocked" };
    case "phoneQuery":
      return { by: "phone", value: query.value.number, method: toTextMethod(query.value.method) };
    case "organizationIdQuery":
      return { by: "organization", organizationId: query.value.organizationId };
    case "identityProviderIdQuery":
      return { by: "identityProvider", identityProviderId: query.value.identityProviderId };
    case "metadataKeyFilter":
      return { by: "metadataKey", key: query.value.key, method: toTextMethod(query.value.method) };
    case "metadataValueFilter": {
      const isEqual = query.value.method === ByteFilterMethod.EQUALS;
      return { by: "metadataValue", value: query.value.value, isEqual };
    }
    default:
      return toCommonFilter<SearchQuery>(query, toUserFilter);
  }
}
