import type { MessageInitShape } from "@bufbuild/protobuf";
import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import type { UserGrantQuery, UserGrantSchema } from "@doorward/api/service/user/v1/user_grant_pb";
import { Type } from "@doorward/api/service/user/v1/user_pb";
import { Fault } from "../../../../base/fault.ts";
import type { IdGenerator } from "../../../../base/id.ts";
import { type Call, requireOrganization } from "../../../../call/index.ts";
import type { Database } from "../../../../database/index.ts";
import {
  type AuthorizationFilter,
  type AuthorizationState,
  type AuthorizationWithRoles,
  authorizationAbsence,
  changeAuthorizationState,
  createAuthorization,
  deleteAuthorization,
  deleteAuthorizationsOfOrganization,
  listAuthorizations,
  requireAuthorizationOfOrganization,
  updateAuthorization,
} from "../../../../domain/authorization/index.ts";
import type { OriginOf } from "../../../../domain/instance/index.ts";
import { urlOfAvatar } from "../../../../domain/picture/index.ts";
import {
  type Binding,
  bind,
  checkFirst,
  type Handlers,
  toListDetailsV1,
  toObjectDetails,
  toPageV1,
  toRemovalDetails,
} from "../../../contract/index.ts";
import { userGrantStates } from "../../common/authorization/authorization-state.ts";
import { toUserGrantFilter } from "./authorization-filter.ts";

interface Deps {
  readonly database: Database;
  readonly newId: IdGenerator;
  /** Addresses of pictures are absolute. */
  readonly originOf: OriginOf;
}

/**
 * ManagementService: roles of users in the organization of the call. Only the second generation knows the roles of
 * groups.
 */
export const managementAuthorizationMethods = (deps: Deps): Binding =>
  bind(ManagementService, { ...methodsOfMany(deps), ...methodsOfOne(deps) });

function methodsOfMany(deps: Deps): Handlers<typeof ManagementService> {
  return {
    async listUserGrants(call, { query, queries }) {
      const { rows, total } = await listAuthorizations(deps, call, {
        ...toPageV1(query),
        filters: [
          ...scopeFilters(call, queries),
          ...queries.map(toUserGrantFilter).filter((filter) => filter !== undefined),
        ],
        orderBy: "created_at",
      });
      const origin = await deps.originOf(call.instanceId);
      return { details: toListDetailsV1(total, call.now), result: rows.map((row) => toMessage(row, origin)) };
    },
    async addUserGrant(call, { userId, projectId, projectGrantId, roleKeys }) {
      const { authorizationId, details } = await createAuthorization(deps, call, {
        userId,
        projectId,
        roleKeys,
        organizationId: requireOrganization(call),
        ...(projectGrantId !== "" && { projectGrantId }),
      });
      return { userGrantId: authorizationId, details: toObjectDetails(details) };
    },
    async bulkRemoveUserGrant(call, { grantId: authorizationIds }) {
      const organizationId = requireOrganization(call);
      await deleteAuthorizationsOfOrganization(deps, call, { organizationId, authorizationIds });
      return {};
    },
  };
}

function methodsOfOne(deps: Deps): Handlers<typeof ManagementService> {
  const changeState = async (call: Call, authorizationId: string, state: AuthorizationState) => ({
    details: toObjectDetails(await changeAuthorizationState(deps, call, { authorizationId, state })),
  });
  const ofOneUser: Handlers<typeof ManagementService> = {
    async getUserGrantByID(call, { grantId }) {
      const { rows } = await listAuthorizations(deps, call, {
        filters: [{ kind: "ids", authorizationIds: [grantId] }],
        orderBy: "created_at",
        isDescending: false,
        page: { offset: 0, limit: 1 },
      });
      const [row] = rows;
      if (row === undefined) throw new Fault("not_found", authorizationAbsence.absent);
      return { userGrant: toMessage(row, await deps.originOf(call.instanceId)) };
    },
    async updateUserGrant(call, { grantId: authorizationId, roleKeys }) {
      return { details: toObjectDetails(await updateAuthorization(deps, call, { authorizationId, roleKeys })) };
    },
    deactivateUserGrant: (call, { grantId }) => changeState(call, grantId, "inactive"),
    reactivateUserGrant: (call, { grantId }) => changeState(call, grantId, "active"),
    async removeUserGrant(call, { grantId: authorizationId }) {
      await deleteAuthorization(deps, call, { authorizationId });
      return { details: toRemovalDetails(call.now, requireOrganization(call)) };
    },
  };
  const isOfOrganization = (call: Call, request: { readonly userId: string; readonly grantId: string }) =>
    requireAuthorizationOfOrganization(deps.database.read, call, {
      userId: request.userId,
      authorizationId: request.grantId,
    });
  return checkFirst(ofOneUser, isOfOrganization);
}

/**
 * Returns the scope of the list: the organization of the call, and on request also assignments on projects that it lent
 * to others.
 */
function scopeFilters(call: Call, queries: readonly UserGrantQuery[]): AuthorizationFilter[] {
  const organizationId = requireOrganization(call);
  const isWide = queries.some(({ query }) => query.case === "withGrantedQuery" && query.value.withGranted);
  const isPlain = queries.some(({ query }) => query.case === "withGrantedQuery" && !query.value.withGranted);
  const kind = isWide && !isPlain ? "organization_or_owner" : "organization";
  return [{ kind: "of_users" }, { kind, organizationId }];
}

function toMessage(row: AuthorizationWithRoles, origin: string): MessageInitShape<typeof UserGrantSchema> {
  const { organizationId, organizationName, organizationDomain, projectGrantId } = row;
  return {
    id: row.authorizationId,
    details: toObjectDetails({ ...row, ownerId: organizationId }),
    roleKeys: row.roles.map(({ roleKey }) => roleKey),
    state: userGrantStates[row.state],
    userId: row.userId,
    userName: row.username,
    firstName: row.givenName,
    lastName: row.familyName,
    email: row.email,
    displayName: row.displayName,
    avatarUrl: urlOfAvatar(origin, row.avatarFile),
    orgId: organizationId,
    orgName: organizationName,
    orgDomain: organizationDomain,
    projectId: row.projectId,
    projectName: row.projectName,
    projectGrantId,
    preferredLoginName: row.preferredLoginName,
    userType: row.userKind === "human" ? Type.HUMAN : Type.MACHINE,
    // An assignment over a grant belongs to the organization that the project was lent to.
    ...(projectGrantId !== "" && {
      grantedOrgId: organizationId,
      grantedOrgName: organizationName,
      grantedOrgDomain: organizationDomain,
    }),
  };
}
