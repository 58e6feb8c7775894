import type { MessageInitShape } from "@bufbuild/protobuf";
import type { AdministratorSchema } from "@doorward/api/service/internal_permission/v2/administrator_pb";
import { InternalPermissionService } from "@doorward/api/service/internal_permission/v2/internal_permission_service_pb";
import { AdministratorFieldName } from "@doorward/api/service/internal_permission/v2/query_pb";
import {
  type Administrator,
  type AdministratorSearch,
  listAdministrators,
} from "../../../domain/administrator-search/index.ts";
import {
  type AcceptDeps,
  acceptAppointment,
  createAdministrator,
  declineAppointment,
  deleteAdministrator,
  type OfferDeps,
  updateAdministrator,
} from "../../../domain/membership/index.ts";
import { type Binding, bind, toPage, toPagination, toTimestamp } from "../../contract/index.ts";
import { requireResource, toFilter } from "./administrator-filter.ts";
import { toState } from "./administrator-state.ts";

/** Methods on administrators of every level. */
export const administratorMethods = (deps: OfferDeps & AcceptDeps): Binding =>
  bind(InternalPermissionService, {
    async listAdministrators(call, { pagination, filters, sortingColumn }) {
      const page = toPage(pagination);
      const { administrators, total } = await listAdministrators(deps, call, {
        ...page,
        filters: filters.map((filter, index) => toFilter(filter, `filters[${index}]`)),
        orderBy: orders[sortingColumn] ?? "created_at",
      });
      return { administrators: administrators.map(toMessage), pagination: toPagination(total, page.page) };
    },
    async createAdministrator(call, { userId, roles, resource }) {
      const made = await createAdministrator(deps, call, {
        userId,
        roles,
        resource: requireResource(resource?.resource),
      });
      return { creationDate: toTimestamp(made.details.createdAt), state: toState(made) };
    },
    async updateAdministrator(call, { userId, roles, resource }) {
      const changed = await updateAdministrator(deps, call, {
        userId,
        roles,
        resource: requireResource(resource?.resource),
      });
      return {
        changeDate: toTimestamp(changed.details.changedAt),
        state: toState(changed),
        pendingRoles: [...changed.pendingRoles],
      };
    },
    async deleteAdministrator(call, { userId, resource }) {
      const { deletedAt } = await deleteAdministrator(deps, call, {
        userId,
        resource: requireResource(resource?.resource),
      });
      return deletedAt === undefined ? {} : { deletionDate: toTimestamp(deletedAt) };
    },
    async acceptAppointment(call, { userId, roles, resource }) {
      const { details } = await acceptAppointment(deps, call, {
        userId,
        roles,
        resource: requireResource(resource?.resource),
      });
      return { changeDate: toTimestamp(details.changedAt) };
    },
    async declineAppointment(call, { userId, resource }) {
      const { changedAt } = await declineAppointment(deps, call, {
        userId,
        resource: requireResource(resource?.resource),
      });
      return { changeDate: toTimestamp(changedAt) };
    },
  });

const orders: Readonly<Record<number, AdministratorSearch["orderBy"]>> = {
  [AdministratorFieldName.USER_ID]: "user_id",
  [AdministratorFieldName.CREATION_DATE]: "created_at",
  [AdministratorFieldName.CHANGE_DATE]: "changed_at",
};

function toMessage(administrator: Administrator): MessageInitShape<typeof AdministratorSchema> {
  const { createdAt, changedAt, user, roles } = administrator;
  return {
    creationDate: toTimestamp(createdAt),
    changeDate: toTimestamp(changedAt),
    user: {
      id: user.userId,
      preferredLoginName: user.preferredLoginName,
      displayName: user.displayName,
      organizationId: user.organizationId,
    },
    resource: toResourceMessage(administrator.resource),
    roles: [...roles],
    state: toState(administrator),
    pendingRoles: [...administrator.pendingRoles],
  };
}

function toResourceMessage(
  resource: Administrator["resource"],
): NonNullable<MessageInitShape<typeof AdministratorSchema>["resource"]> {
  switch (resource.level) {
    case "instance":
      return { case: "instance", value: true };
    case "organization":
      return { case: "organization", value: { id: resource.organizationId, name: resource.name } };
    case "project": {
      const { projectId, name, organizationId } = resource;
      return { case: "project", value: { id: projectId, name, organizationId } };
    }
    case "project_grant": {
      const { grantId, level: _, ...rest } = resource;
      return { case: "projectGrant", value: { id: grantId, ...rest } };
    }
    default:
      return resource satisfies never;
  }
}
