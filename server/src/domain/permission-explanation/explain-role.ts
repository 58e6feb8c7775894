import { Fault } from "../../base/fault.ts";
import { type Access, type Call, requireCaller } from "../../call/index.ts";
import { type Database, readWhole } from "../../database/index.ts";
import type { AdministeredResource } from "../administrator-access/index.ts";
import {
  type AuthorizationFilter,
  type AuthorizationWithRoles,
  listAllAuthorizations,
  listRoleClaims,
} from "../authorization/index.ts";
import { listGroupUsers } from "../group/index.ts";
import { listProjectRoles } from "../project/index.ts";
import type { Explanation, PermissionPath } from "./explanation.ts";
import { listGivers } from "./find-administrators.ts";
import { findChain } from "./find-chain.ts";
import { findExplainedUser } from "./find-explained-user.ts";

interface Deps {
  readonly database: Database;
}

type ProjectResource = Extract<AdministeredResource, { readonly projectId: string }>;

const mostGroups = 1000;
const permissionToGive = "user.grant.write";

/**
 * Explains whether a user has a role of a project, for callers who may list the administrators of the project, or of
 * the grant that they name. Role assignments that the caller may not see do not count. What is too much to be read is
 * refused: a part of it could be explained wrongly.
 */
export async function explainRole(
  deps: Deps,
  call: Call,
  input: { readonly userId: string; readonly resource: AdministeredResource; readonly roleKey: string },
): Promise<Explanation> {
  requireCaller(call);
  const { userId, resource, roleKey } = input;
  if (!("projectId" in resource)) {
    throw new Fault("invalid_argument", "membership.resource_missing", { field: "resource" });
  }
  const chain = await findChain(deps.database.read, call, resource);
  await requireRole(deps, call, { projectId: resource.projectId, roleKey });
  const grantId = resource.level === "project_grant" ? chain.resource.resourceId : undefined;
  const assigned = await listAssignments(deps, call, { userId, resource, roleKey, grantId });
  const { isInactive } = await findExplainedUser(deps.database.read, call, userId, assigned.some(isOfUser));
  const paths = await pathsOf(deps, call, { userId, projectId: resource.projectId, roleKey, assigned });
  const isAllowed = paths.some(({ isEffective }) => isEffective);
  if (isAllowed) return { isAllowed, isInactive, paths, missing: [], permissionsToGive: [], administrators: [] };
  const mayGive = (access: Access): boolean =>
    chain.resource.permissionScopes.some((scope) => access.allows(permissionToGive, scope));
  const permissions = [permissionToGive];
  const administrators = await listGivers(deps, call, chain, { permissions, mayGive });
  return { isAllowed, isInactive, paths, missing: [], permissionsToGive: permissions, administrators };
}

const isOfUser = ({ groupId }: AuthorizationWithRoles): boolean => groupId === "";

async function requireRole(
  deps: Deps,
  call: Call,
  { projectId, roleKey }: { readonly projectId: string; readonly roleKey: string },
): Promise<void> {
  const { total } = await listProjectRoles(deps, call, {
    projectId,
    filters: [{ kind: "key", method: "equals", roleKey }],
    orderBy: "role_key",
    isDescending: false,
    page: { offset: 0, limit: 1 },
  });
  if (total === 0) throw new Fault("not_found", "project.role_not_found", { field: "roleKey" });
}

/** Lists the assignments of the role to the user and to the user's groups, as far as the caller may see both. */
async function listAssignments(
  deps: Deps,
  call: Call,
  {
    userId,
    resource: { projectId },
    roleKey,
    grantId,
  }: {
    readonly userId: string;
    readonly resource: ProjectResource;
    readonly roleKey: string;
    readonly grantId: string | undefined;
  },
): Promise<AuthorizationWithRoles[]> {
  const filters: readonly AuthorizationFilter[] = [
    { kind: "project", projectId },
    { kind: "role_key", method: "equals", roleKey },
    ...(grantId === undefined ? [] : [{ kind: "project_grant", projectGrantId: grantId } as const]),
  ];
  const list = async (holder: AuthorizationFilter): Promise<readonly AuthorizationWithRoles[]> => {
    const { rows, isWhole } = await listAllAuthorizations(deps, call, [holder, ...filters]);
    return isWhole ? rows : refuseTooMany();
  };
  const of = { filters: [{ by: "users", ids: [userId] }], orderBy: "group_id", isDescending: false } as const;
  const groups = await readWhole(mostGroups, (page) => listGroupUsers(deps, call, { ...of, page }));
  const groupIds = (groups ?? refuseTooMany()).map((group) => group.groupId);
  const ofUser = await list({ kind: "users", userIds: [userId] });
  return groupIds.length === 0 ? [...ofUser] : [...ofUser, ...(await list({ kind: "groups", groupIds }))];
}

function refuseTooMany(): never {
  throw new Fault("failed_precondition", "authorization.too_many_to_explain");
}

/** An assignment has effect if it is active, and tokens say that its organization gave the user the role. */
async function pathsOf(
  { database }: Deps,
  { instanceId }: Call,
  given: {
    readonly userId: string;
    readonly projectId: string;
    readonly roleKey: string;
    readonly assigned: readonly AuthorizationWithRoles[];
  },
): Promise<PermissionPath[]> {
  const { userId, projectId, roleKey, assigned } = given;
  const organizationIds = [...new Set(assigned.map(({ organizationId }) => organizationId))];
  const wanted = { userId, projectIds: [projectId], roleKeys: [roleKey], organizationIds };
  const claims = (await listRoleClaims(database.read, instanceId, wanted)).get(projectId)?.[roleKey] ?? {};
  return assigned.map(({ authorizationId, organizationId, projectGrantId, groupId, groupName, state }) => ({
    by: "authorization",
    isEffective: state === "active" && Object.hasOwn(claims, organizationId),
    assignment: { authorizationId, organizationId, projectGrantId, groupId, groupName },
  }));
}
