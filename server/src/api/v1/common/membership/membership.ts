import type { MessageInitShape } from "@bufbuild/protobuf";
import type { MembershipQuery, MembershipSchema } from "@doorward/api/service/user/v1/membership_pb";
import type { ListQuery } from "@doorward/api/service/v1/query_pb";
import type { Call } from "../../../../call/index.ts";
import type { Database } from "../../../../database/index.ts";
import {
  type Administrator,
  type AdministratorFilter,
  listMembershipsOfUser,
} from "../../../../domain/administrator-search/index.ts";
import { refuseFilter, toListDetailsV1, toObjectDetails, toPageV1 } from "../../../contract/index.ts";
import { toState } from "../../../v2/administrator/administrator-state.ts";

/** Lists what a user administers. */
export function methodsOfMemberships(deps: { readonly database: Database }) {
  const list = async (call: Call, userId: string, { query, queries }: MembershipRequest) => {
    const filters = queries.map((each, index) => toFilter(each, index, call.instanceId));
    const search = { ...toPageV1(query), filters, orderBy: "created_at" as const, userId };
    const { administrators, total } = await listMembershipsOfUser(deps, call, search);
    return { details: toListDetailsV1(total, call.now), result: administrators.map(toMessage) };
  };
  return { list };
}

interface MembershipRequest {
  readonly query?: ListQuery | undefined;
  readonly queries: readonly MembershipQuery[];
}

function toFilter({ query }: MembershipQuery, index: number, instanceId: string): AdministratorFilter {
  switch (query.case) {
    case "orgQuery":
      return { by: "scope", level: "organization", resourceId: query.value.orgId };
    case "projectQuery":
      return { by: "scope", level: "project", resourceId: query.value.projectId };
    case "projectGrantQuery":
      return { by: "scope", level: "project_grant", resourceId: query.value.projectGrantId };
    case "iamQuery": {
      const isOfInstance = { by: "scope", level: "instance", resourceId: instanceId } as const;
      return query.value.iam ? isOfInstance : { by: "not", filter: isOfInstance };
    }
    case undefined:
      return refuseFilter(`queries[${index}]`);
    default:
      return query satisfies never;
  }
}

function toMessage(position: Administrator): MessageInitShape<typeof MembershipSchema> {
  const { user, roles, resource } = position;
  const common = {
    userId: user.userId,
    details: toObjectDetails(position),
    roles: [...roles],
    state: toState(position),
    pendingRoles: [...position.pendingRoles],
  };
  switch (resource.level) {
    case "instance":
      return { ...common, displayName: "IAM", type: { case: "iam", value: true } };
    case "organization":
      return { ...common, displayName: resource.name, type: { case: "orgId", value: resource.organizationId } };
    case "project":
      return { ...common, displayName: resource.name, type: { case: "projectId", value: resource.projectId } };
    case "project_grant":
      return {
        ...common,
        displayName: resource.projectName,
        type: { case: "projectGrantId", value: resource.grantId },
      };
    default:
      return resource satisfies never;
  }
}
