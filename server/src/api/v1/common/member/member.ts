import type { SearchQuery } from "@doorward/api/service/member/v1/member_pb";
import type { ListQuery } from "@doorward/api/service/v1/query_pb";
import type { Call } from "../../../../call/index.ts";
import type { Database } from "../../../../database/index.ts";
import {
  type AdministeredResource,
  isAssignable,
  type MembershipLevel,
  roleNames,
} from "../../../../domain/administrator-access/index.ts";
import { listMembers, type MemberSearch } from "../../../../domain/administrator-search/index.ts";
import type { OriginOf } from "../../../../domain/instance/index.ts";
import {
  createAdministrator,
  deleteAdministrator,
  type GainDeps,
  type OfferDeps,
  updateAdministrator,
} from "../../../../domain/membership/index.ts";
import { toListDetailsV1, toObjectDetails, toPageV1 } from "../../../contract/index.ts";
import { memberColumns, toMemberFilter, toMemberMessage } from "./member-message.ts";

export interface MemberDeps extends OfferDeps, GainDeps {
  readonly database: Database;
  /** Addresses of pictures are absolute. */
  readonly originOf: OriginOf;
}

interface ListRequest {
  readonly query?: ListQuery | undefined;
  readonly queries: readonly SearchQuery[];
  readonly sortingColumn?: number;
}

interface MemberRequest {
  readonly userId: string;
  readonly roles: readonly string[];
}

export const toSearch = ({ query, queries, sortingColumn = 0 }: ListRequest): MemberSearch => ({
  ...toPageV1(query),
  filters: queries.map(toMemberFilter),
  orderBy: memberColumns[sortingColumn] ?? "created_at",
});

export function methodsOfLevels(deps: MemberDeps) {
  return {
    list: async (call: Call, resource: AdministeredResource, request: ListRequest) => {
      const { rows, total } = await listMembers(deps, call, { resource, ...toSearch(request) });
      const origin = await deps.originOf(call.instanceId);
      const result = rows.map((member) => toMemberMessage(member, origin));
      return { details: toListDetailsV1(total, call.now), result };
    },
    // Always in the order of their power, whatever order is requested.
    roles: (call: Call, level: MembershipLevel, query?: ListQuery) => {
      const { offset, limit } = toPageV1(query).page;
      const all = roleNames.filter((role) => isAssignable(role, level));
      return { details: toListDetailsV1(all.length, call.now), result: all.slice(offset, offset + limit) };
    },
    add: async (call: Call, resource: AdministeredResource, { userId, roles }: MemberRequest) => ({
      details: toObjectDetails((await createAdministrator(deps, call, { userId, roles, resource })).details),
    }),
    update: async (call: Call, resource: AdministeredResource, { userId, roles }: MemberRequest) => ({
      details: toObjectDetails((await updateAdministrator(deps, call, { userId, roles, resource })).details),
    }),
    remove: async (call: Call, resource: AdministeredResource, { userId }: Pick<MemberRequest, "userId">) => {
      const { details } = await deleteAdministrator(deps, call, { userId, resource });
      return details === undefined ? {} : { details: toObjectDetails(details) };
    },
  };
}
