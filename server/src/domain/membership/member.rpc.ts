import { AdminService } from "@doorward/api/service/admin/v1/admin_service_pb";
import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import type { SearchQuery } from "@doorward/api/service/member/v1/member_pb";
import { SystemService } from "@doorward/api/service/system/v1/system_service_pb";
import type { ListQuery } from "@doorward/api/service/v1/query_pb";
import type { Call } from "../../call/index.ts";
import { type Binding, bind, toListDetailsV1, toObjectDetails, toPage } from "../../contract/index.ts";
import type { Database } from "../../database/index.ts";
import type { OriginOf } from "../instance/index.ts";
import { createAdministrator } from "./create-administrator.ts";
import { deleteAdministrator } from "./delete-administrator.ts";
import { listMembers } from "./list-members.ts";
import { listMembersOfInstance } from "./list-members-of-instance.ts";
import { memberColumns, toMemberFilter, toMemberMessage } from "./member-message.rpc.ts";
import type { MemberSearch } from "./member-search.ts";
import type { AdministeredResource } from "./membership.ts";
import { isAssignable, type MembershipLevel, roleNames } from "./roles.ts";
import type { OfferDeps } from "./tell-of-appointment.ts";
import { updateAdministrator } from "./update-administrator.ts";

interface MemberDeps extends OfferDeps {
  readonly database: Database;
  /** Addresses of pictures are absolute. */
  readonly originOf: OriginOf;
}

/**
 * Administrators in the first generation of the API: a set of methods for each level, based on the operations of the
 * second.
 */
export function memberMethods(deps: MemberDeps): Binding[] {
  const { list, roles, add, update, remove } = methodsOfLevels(deps);
  return [
    bind(AdminService, {
      listIAMMemberRoles: async (call) => {
        const { result, ...rest } = roles(call, "instance");
        return { ...rest, roles: result };
      },
      listIAMMembers: (call, request) => list(call, { level: "instance" }, request),
      addIAMMember: (call, request) => add(call, { level: "instance" }, request),
      updateIAMMember: (call, request) => update(call, { level: "instance" }, request),
      removeIAMMember: (call, request) => remove(call, { level: "instance" }, request),
    }),
    bind(SystemService, {
      async listIAMMembers(call, { instanceId, ...request }) {
        const { rows, total } = await listMembersOfInstance(deps, call, { instanceId, ...toSearch(request) });
        const origin = await deps.originOf(instanceId);
        const result = rows.map((member) => toMemberMessage(member, origin));
        return { details: toListDetailsV1(total, call.now), result };
      },
    }),
    bind(ManagementService, {
      listOrgMemberRoles: async (call) => ({ result: roles(call, "organization").result }),
      listOrgMembers: (call, request) => list(call, organizationOf(call), request),
      addOrgMember: (call, request) => add(call, organizationOf(call), request),
      updateOrgMember: (call, request) => update(call, organizationOf(call), request),
      removeOrgMember: (call, request) => remove(call, organizationOf(call), request),
      listProjectMemberRoles: async (call) => roles(call, "project"),
      listProjectMembers: (call, request) => list(call, projectOf(request), request),
      addProjectMember: (call, request) => add(call, projectOf(request), request),
      updateProjectMember: (call, request) => update(call, projectOf(request), request),
      removeProjectMember: (call, request) => remove(call, projectOf(request), request),
      listProjectGrantMemberRoles: async (call, { query }) => roles(call, "project_grant", query),
      listProjectGrantMembers: (call, request) => list(call, grantOf(request), request),
      addProjectGrantMember: (call, request) => add(call, grantOf(request), request),
      updateProjectGrantMember: (call, request) => update(call, grantOf(request), request),
      removeProjectGrantMember: (call, request) => remove(call, grantOf(request), request),
    }),
  ];
}

const organizationOf = ({ organizationId = "" }: Call): AdministeredResource => ({
  level: "organization",
  organizationId,
});

const projectOf = ({ projectId }: { readonly projectId: string }): AdministeredResource => ({
  level: "project",
  projectId,
});

const grantOf = (request: { readonly projectId: string; readonly grantId: string }): AdministeredResource => ({
  level: "project_grant",
  projectId: request.projectId,
  grantId: request.grantId,
});

interface ListRequest {
  readonly query?: ListQuery | undefined;
  readonly queries: readonly SearchQuery[];
  readonly sortingColumn?: number;
}

interface MemberRequest {
  readonly userId: string;
  readonly roles: readonly string[];
}

const toSearch = ({ query, queries, sortingColumn = 0 }: ListRequest): MemberSearch => ({
  ...toPage(query, "query"),
  filters: queries.map(toMemberFilter),
  orderBy: memberColumns[sortingColumn] ?? "created_at",
});

function methodsOfLevels(deps: MemberDeps) {
  return {
    list: async (call: Call, resource: AdministeredResource, request: ListRequest) => {
      const { rows, total } = await listMembers(deps, call, { resource, ...toSearch(request) });
      const origin = await deps.originOf(call.instanceId);
      const result = rows.map((member) => toMemberMessage(member, origin));
      return { details: toListDetailsV1(total, call.now), result };
    },
    // Always in the order of their power, whatever order is requested.
    roles: (call: Call, level: MembershipLevel, query?: ListQuery) => {
      const { offset, limit } = toPage(query, "query").page;
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
