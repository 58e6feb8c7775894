import type { SearchQuery as FirstSearchQuery } from "@doorward/api/service/user/v1/query_pb";
import type { UserFilter } from "../../../../domain/user-search/index.ts";
import { refuseFilter } from "../../../contract/index.ts";
import { toCommonFilter } from "../../../v2/user/user-search.ts";
import { fromStateV1 } from "./user-message.ts";

/** Converts a condition of the first generation. */
export function toUserFilterV1({ query }: FirstSearchQuery): UserFilter {
  if (query.case !== "stateQuery") return toCommonFilter<FirstSearchQuery>(query, toUserFilterV1);
  return { by: "state", state: fromStateV1(query.value.state) ?? refuseFilter("queries.stateQuery.state") };
}
