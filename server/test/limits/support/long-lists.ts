/** What the changes are made to. */
export interface ListFixtures {
  // biome-ignore lint/suspicious/noExplicitAny: answers of any method
  ask(method: string, body: object): Promise<any>;
  readonly organizationId: string;
  readonly projectId: string;
  readonly userIds: readonly string[];
}

/** A change with a list. */
export interface Change {
  /** The fields with the list. */
  readonly lists: readonly string[];
  readonly method: string;
  /** Returns a request whose list has this length, about something that no other request is about. */
  request(fixtures: ListFixtures, count: number): object | Promise<object>;
}

const numbers = (count: number): number[] => [...Array.from({ length: count }).keys()];
const roleKeys = (count: number): string[] => numbers(count).map((index) => `r${index}`);
const pairsFor = (what: string) => (count: number) =>
  numbers(count).map((index) => ({ key: `${what}-${count}-${index}`, value: "AAEC" }));
const keysOf = (pairs: readonly { readonly key: string }[]): string[] => pairs.map(({ key }) => key);
// A position has no more roles than this, so longer lists are not asked for.
const ownerRoles = ["ORG_OWNER", "ORG_OWNER_VIEWER", "ORG_USER_MANAGER", "ORG_SETTINGS_MANAGER"];
const grantRoles = ["PROJECT_GRANT_OWNER", "PROJECT_GRANT_OWNER_VIEWER"];
const projectRoles = ["PROJECT_OWNER", "PROJECT_OWNER_VIEWER", "PROJECT_OWNER_GLOBAL", "PROJECT_OWNER_VIEWER_GLOBAL"];
const instanceRoles = ["IAM_OWNER", "IAM_OWNER_VIEWER", "IAM_ORG_MANAGER", "IAM_USER_MANAGER"];

const human = (name: string) => ({
  profile: { givenName: "Ada", familyName: "L" },
  email: { email: `${name}@mail.example`, isVerified: true },
});
const earlierHuman = (name: string) => ({
  userName: name,
  profile: { firstName: "Ada", lastName: "L" },
  email: { email: `${name}@mail.example`, isEmailVerified: true },
});

const management = "management.v1.ManagementService";
const admin = "admin.v1.AdminService";
const users = "user.v2.UserService";
const organizations = "org.v2.OrganizationService";
const projects = "project.v2.ProjectService";
const authorizations = "authorization.v2.AuthorizationService";
const groups = "group.v2.GroupService";
const permissions = "internal_permission.v2.InternalPermissionService";

let made = 0;
const addPartner = async ({ ask }: ListFixtures): Promise<string> =>
  (await ask(`${organizations}/AddOrganization`, { name: `Partner ${made++}` })).organizationId;

const addUser = async ({ ask, organizationId }: ListFixtures): Promise<string> =>
  (await ask(`${users}/CreateUser`, { organizationId, username: `made-${made++}`, machine: { name: "Robot" } })).id;

/** Lends the project to a new organization, without roles. */
async function lend(fixtures: ListFixtures) {
  const { ask, projectId } = fixtures;
  const grant = { projectId, grantedOrganizationId: await addPartner(fixtures) };
  await ask(`${projects}/CreateProjectGrant`, { ...grant, roleKeys: [] });
  return grant;
}

async function grantIdOf(
  { ask }: ListFixtures,
  { projectId, grantedOrganizationId }: Awaited<ReturnType<typeof lend>>,
) {
  const { result } = await ask(`${management}/ListProjectGrants`, { projectId });
  return result.find((each: { grantedOrgId: string }) => each.grantedOrgId === grantedOrganizationId).grantId;
}

async function assign(fixtures: ListFixtures) {
  const { ask, projectId, organizationId } = fixtures;
  const assignment = { userId: await addUser(fixtures), projectId, organizationId };
  const { id } = await ask(`${authorizations}/CreateAuthorization`, { ...assignment, roleKeys: [] });
  return { ...assignment, id };
}

async function appointed(fixtures: ListFixtures, resource: object, roles: readonly string[]) {
  const position = { userId: await addUser(fixtures), resource };
  await fixtures.ask(`${permissions}/CreateAdministrator`, { ...position, roles: roles.slice(0, 1) });
  return position;
}

const roleChanges: readonly Change[] = [
  {
    lists: ["service.management.v1.BulkAddProjectRolesRequest.roles"],
    method: `${management}/BulkAddProjectRoles`,
    request: ({ projectId }, count) => ({
      projectId,
      roles: numbers(count).map((index) => ({ key: `bulk-${count}-${index}`, displayName: "B" })),
    }),
  },
  {
    lists: ["service.project.v2.CreateProjectGrantRequest.role_keys"],
    method: `${projects}/CreateProjectGrant`,
    request: async (fixtures, count) => ({
      projectId: fixtures.projectId,
      grantedOrganizationId: await addPartner(fixtures),
      roleKeys: roleKeys(count),
    }),
  },
  {
    lists: ["service.management.v1.AddProjectGrantRequest.role_keys"],
    method: `${management}/AddProjectGrant`,
    request: async (fixtures, count) => ({
      projectId: fixtures.projectId,
      grantedOrgId: await addPartner(fixtures),
      roleKeys: roleKeys(count),
    }),
  },
  {
    lists: ["service.project.v2.UpdateProjectGrantRequest.role_keys"],
    method: `${projects}/UpdateProjectGrant`,
    request: async (fixtures, count) => ({ ...(await lend(fixtures)), roleKeys: roleKeys(count) }),
  },
  {
    lists: ["service.management.v1.UpdateProjectGrantRequest.role_keys"],
    method: `${management}/UpdateProjectGrant`,
    request: async (fixtures, count) => {
      const { projectId } = fixtures;
      return { projectId, grantId: await grantIdOf(fixtures, await lend(fixtures)), roleKeys: roleKeys(count) };
    },
  },
  {
    lists: ["service.authorization.v2.CreateAuthorizationRequest.role_keys"],
    method: `${authorizations}/CreateAuthorization`,
    request: async (fixtures, count) => {
      const { projectId, organizationId } = fixtures;
      return { userId: await addUser(fixtures), projectId, organizationId, roleKeys: roleKeys(count) };
    },
  },
  {
    lists: ["service.management.v1.AddUserGrantRequest.role_keys"],
    method: `${management}/AddUserGrant`,
    request: async (fixtures, count) => ({
      userId: await addUser(fixtures),
      projectId: fixtures.projectId,
      roleKeys: roleKeys(count),
    }),
  },
  {
    lists: ["service.authorization.v2.UpdateAuthorizationRequest.role_keys"],
    method: `${authorizations}/UpdateAuthorization`,
    request: async (fixtures, count) => ({ id: (await assign(fixtures)).id, roleKeys: roleKeys(count) }),
  },
  {
    lists: ["service.management.v1.UpdateUserGrantRequest.role_keys"],
    method: `${management}/UpdateUserGrant`,
    request: async (fixtures, count) => {
      const { userId, id: grantId } = await assign(fixtures);
      return { userId, grantId, roleKeys: roleKeys(count) };
    },
  },
  {
    lists: ["service.management.v1.BulkRemoveUserGrantRequest.grant_id"],
    method: `${management}/BulkRemoveUserGrant`,
    // Each of another project.
    request: async (fixtures, count) => {
      const { ask, organizationId } = fixtures;
      const userId = await addUser(fixtures);
      const ids: string[] = [];
      for (const _ of numbers(count)) {
        const project = { organizationId, name: `Project ${made++}` };
        const { projectId } = await ask(`${projects}/CreateProject`, project);
        const assignment = { userId, projectId, organizationId, roleKeys: [] };
        ids.push((await ask(`${authorizations}/CreateAuthorization`, assignment)).id);
      }
      return { grantId: ids };
    },
  },
];

const setting = (message: string, method: string, request: Change["request"]): Change => ({
  lists: [`service.${message}.metadata`],
  method,
  request,
});

const metadataChanges: readonly Change[] = [
  setting("user.v2.SetUserMetadataRequest", `${users}/SetUserMetadata`, ({ userIds: [userId] }, count) => ({
    userId,
    metadata: pairsFor("set")(count),
  })),
  setting("user.v2.UpdateUserRequest", `${users}/UpdateUser`, ({ userIds: [userId] }, count) => ({
    userId,
    metadata: pairsFor("update")(count),
  })),
  setting("user.v2.CreateUserRequest", `${users}/CreateUser`, ({ organizationId }, count) => ({
    organizationId,
    username: `created-${count}`,
    machine: { name: "Robot" },
    metadata: pairsFor("created")(count),
  })),
  setting("user.v2.CreateUserRequest.Human", `${users}/CreateUser`, ({ organizationId }, count) => ({
    organizationId,
    username: `human-${count}`,
    human: { ...human(`human-${count}`), metadata: pairsFor("human")(count) },
  })),
  setting("user.v2.AddHumanUserRequest", `${users}/AddHumanUser`, ({ organizationId }, count) => ({
    organization: { orgId: organizationId },
    username: `added-${count}`,
    ...human(`added-${count}`),
    metadata: pairsFor("added")(count),
  })),
  setting(
    "management.v1.BulkSetUserMetadataRequest",
    `${management}/BulkSetUserMetadata`,
    ({ userIds: [id] }, count) => ({
      id,
      metadata: pairsFor("bulk")(count),
    }),
  ),
  setting("management.v1.BulkSetOrgMetadataRequest", `${management}/BulkSetOrgMetadata`, (_, count) => ({
    metadata: pairsFor("bulk")(count),
  })),
  setting(
    "org.v2.SetOrganizationMetadataRequest",
    `${organizations}/SetOrganizationMetadata`,
    ({ organizationId }, count) => ({ organizationId, metadata: pairsFor("set")(count) }),
  ),
  {
    lists: ["service.user.v2.DeleteUserMetadataRequest.keys"],
    method: `${users}/DeleteUserMetadata`,
    request: ({ userIds: [userId] }, count) => ({ userId, keys: keysOf(pairsFor("set")(count)) }),
  },
  {
    lists: ["service.management.v1.BulkRemoveUserMetadataRequest.keys"],
    method: `${management}/BulkRemoveUserMetadata`,
    request: ({ userIds: [id] }, count) => ({ id, keys: keysOf(pairsFor("bulk")(count)) }),
  },
  {
    lists: ["service.management.v1.BulkRemoveOrgMetadataRequest.keys"],
    method: `${management}/BulkRemoveOrgMetadata`,
    request: (_, count) => ({ keys: keysOf(pairsFor("bulk")(count)) }),
  },
  {
    lists: ["service.org.v2.DeleteOrganizationMetadataRequest.keys"],
    method: `${organizations}/DeleteOrganizationMetadata`,
    request: ({ organizationId }, count) => ({ organizationId, keys: keysOf(pairsFor("set")(count)) }),
  },
];

const userChanges: readonly Change[] = [
  {
    lists: ["service.group.v2.AddUsersToGroupRequest.user_ids"],
    method: `${groups}/AddUsersToGroup`,
    request: async ({ ask, organizationId, userIds }, count) => ({
      id: (await ask(`${groups}/CreateGroup`, { organizationId, name: `Group ${made++}` })).id,
      userIds: userIds.slice(0, count),
    }),
  },
  {
    lists: ["service.group.v2.RemoveUsersFromGroupRequest.user_ids"],
    method: `${groups}/RemoveUsersFromGroup`,
    request: async ({ ask, organizationId, userIds }, count) => {
      const { id } = await ask(`${groups}/CreateGroup`, { organizationId, name: `Group ${made++}` });
      const given = { id, userIds: userIds.slice(0, count) };
      await ask(`${groups}/AddUsersToGroup`, given);
      return given;
    },
  },
  {
    lists: ["service.management.v1.ImportHumanUserRequest.recovery_codes"],
    method: `${management}/ImportHumanUser`,
    request: (_, count) => ({
      ...earlierHuman(`imported-${count}`),
      recoveryCodes: numbers(count).map((index) => ({ raw: `recovery-code-${index}` })),
    }),
  },
];

/** The first size is a position with one role, the other one with all. */
const some = (roles: readonly string[], count: number): string[] => roles.slice(0, count === 2 ? 1 : roles.length);

const positionChanges: readonly Change[] = [
  {
    lists: ["service.internal_permission.v2.CreateAdministratorRequest.roles"],
    method: `${permissions}/CreateAdministrator`,
    request: async (fixtures, count) => {
      const { organizationId } = fixtures;
      return { userId: await addUser(fixtures), resource: { organizationId }, roles: some(ownerRoles, count) };
    },
  },
  {
    lists: ["service.internal_permission.v2.UpdateAdministratorRequest.roles"],
    method: `${permissions}/UpdateAdministrator`,
    request: async (fixtures, count) => {
      const { organizationId } = fixtures;
      const position = await appointed(fixtures, { organizationId }, ["ORG_USER_PERMISSION_EDITOR"]);
      return { ...position, roles: some(ownerRoles, count) };
    },
  },
  {
    lists: ["service.admin.v1.AddIAMMemberRequest.roles"],
    method: `${admin}/AddIAMMember`,
    request: async (fixtures, count) => ({ userId: await addUser(fixtures), roles: some(instanceRoles, count) }),
  },
  {
    lists: ["service.admin.v1.UpdateIAMMemberRequest.roles"],
    method: `${admin}/UpdateIAMMember`,
    request: async (fixtures, count) => {
      const { userId } = await appointed(fixtures, { instance: true }, ["IAM_LOGIN_CLIENT"]);
      return { userId, roles: some(instanceRoles, count) };
    },
  },
  {
    lists: ["service.management.v1.AddOrgMemberRequest.roles"],
    method: `${management}/AddOrgMember`,
    request: async (fixtures, count) => ({ userId: await addUser(fixtures), roles: some(ownerRoles, count) }),
  },
  {
    lists: ["service.management.v1.UpdateOrgMemberRequest.roles"],
    method: `${management}/UpdateOrgMember`,
    request: async (fixtures, count) => {
      const { organizationId } = fixtures;
      const { userId } = await appointed(fixtures, { organizationId }, ["ORG_USER_PERMISSION_EDITOR"]);
      return { userId, roles: some(ownerRoles, count) };
    },
  },
  {
    lists: ["service.management.v1.AddProjectMemberRequest.roles"],
    method: `${management}/AddProjectMember`,
    request: async (fixtures, count) => {
      const { projectId } = fixtures;
      return { userId: await addUser(fixtures), projectId, roles: some(projectRoles, count) };
    },
  },
  {
    lists: ["service.management.v1.UpdateProjectMemberRequest.roles"],
    method: `${management}/UpdateProjectMember`,
    request: async (fixtures, count) => {
      const { projectId } = fixtures;
      const roles = count === 2 ? projectRoles.slice(1, 2) : projectRoles;
      const { userId } = await appointed(fixtures, { projectId }, projectRoles);
      return { userId, projectId, roles };
    },
  },
  {
    lists: ["service.management.v1.AddProjectGrantMemberRequest.roles"],
    method: `${management}/AddProjectGrantMember`,
    request: async (fixtures, count) => {
      const { projectId } = fixtures;
      const grantId = await grantIdOf(fixtures, await lend(fixtures));
      return { userId: await addUser(fixtures), projectId, grantId, roles: some(grantRoles, count) };
    },
  },
  {
    lists: ["service.management.v1.UpdateProjectGrantMemberRequest.roles"],
    method: `${management}/UpdateProjectGrantMember`,
    request: async (fixtures, count) => {
      const grant = await lend(fixtures);
      const { grantedOrganizationId: organizationId, projectId } = grant;
      const resource = { projectGrant: { projectId, organizationId } };
      const { userId } = await appointed(fixtures, resource, grantRoles);
      const roles = count === 2 ? grantRoles.slice(1) : grantRoles;
      return { userId, projectId, grantId: await grantIdOf(fixtures, grant), roles };
    },
  },
  {
    lists: ["service.org.v2.AddOrganizationRequest.Admin.roles"],
    method: `${organizations}/AddOrganization`,
    request: ({ userIds: [userId] }, count) => ({
      name: `Administered ${made++}`,
      admins: [{ userId, roles: some(ownerRoles, count) }],
    }),
  },
  {
    lists: ["service.admin.v1.SetUpOrgRequest.roles"],
    method: `${admin}/SetUpOrg`,
    request: (_, count) => ({
      org: { name: `Set up ${made++}` },
      human: { ...earlierHuman(`set-up-${count}`), password: "Correct horse 1 battery" },
      roles: some(ownerRoles, count),
    }),
  },
];

export const changes: readonly Change[] = [...roleChanges, ...metadataChanges, ...userChanges, ...positionChanges];
