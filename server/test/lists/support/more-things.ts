import assert from "node:assert/strict";
import { eventually } from "../../oauth/support/back-channel.ts";
import type { Ask, FewThings } from "./things.ts";

/** What is in the lists. */
export interface Things extends FewThings {
  /** The user that the token of the calls belongs to. */
  readonly owner: string;
  /** The users besides the owner who made sessions, and which. */
  readonly creator: string;
  readonly sessionsOfAnother: ReadonlySet<string>;
  /** The id of a grant by the ids of its project and of the organization that got it, separated by a space. */
  readonly grants: ReadonlyMap<string, string>;
  /** Domains by organizations. */
  readonly domains: ReadonlyMap<string, readonly string[]>;
  /** A job with several users. */
  readonly job: string;
  /** Metadata by users. */
  /** Identity providers at which the first user has an account. */
  readonly linkedProviders: readonly string[];
  readonly metadata: ReadonlyMap<string, readonly { readonly key: string; readonly value: string }[]>;
}

interface Making {
  readonly ask: Ask;
  readonly clock: { now: number };
}

const names = ["beta", "gamma", "alpha"];
const later = "2100-01-01T00:00:00Z";

/**
 * Makes what filters tell apart: roles over grants and of groups, administrators of every level, words with signs and
 * accents, inactive things.
 */
export async function makeMoreThings({ ask, clock }: Making, few: FewThings): Promise<Things> {
  const call: Ask = (method, body, as) => {
    clock.now += 1000;
    return ask(method, body, as);
  };
  const { user } = await call("auth.v1.AuthService/GetMyUser", {});
  const owner = user.id as string;
  await makePeople(call, few);
  const alsoLent = await lendProjects(call, few);
  await assignRoles(call, few);
  await appointEverywhere(call, few, { owner, alsoLent });
  await addApplications(call, few);
  const linkedProviders = await addProviders(call, few);
  await addCredentials(call, few, owner);
  await addActions(call, few);
  await attemptToSignIn(call, few);
  const job = await createJobs(call, few);
  for (const parts of [[1], [2], [1, 2], [2, 1]]) {
    const of = { organizationId: few.organizations[0], parts };
    await call("setup_link.v2.SetupLinkService/CreateSetupLink", of);
  }
  for (const name of ["Locked", "New", "Old", "Own"]) {
    await call("saved_view.v2.SavedViewService/CreateSavedView", { list: "SAVED_VIEW_LIST_USERS", name });
  }
  return {
    ...few,
    owner,
    job,
    linkedProviders,
    ...(await makeSessions(call, few)),
    grants: await readGrants(call, few),
    domains: await readDomains(call),
    metadata: await addMetadata(call, few, owner),
  };
}

const at = (ids: readonly string[], index: number): string => ids[index] ?? assert.fail();

async function addActions(call: Ask, { organizations: [home = ""] }: FewThings): Promise<void> {
  const service = "management.v1.ManagementService";
  for (const name of [...names, "100%", "under_score"]) {
    const { id } = await call(`${service}/CreateAction`, { name, script: "1" }, { organization: home });
    if (name === "gamma") await call(`${service}/DeactivateAction`, { id }, { organization: home });
  }
}

async function makePeople(call: Ask, { organizations }: FewThings): Promise<void> {
  for (const [username, givenName, familyName] of [
    ["100%", "Ärger", "Straße_1"],
    ["under_score", "ärger", "O'Neill"],
    ["back-slash", "Łucja", "straße\\"],
  ] as const) {
    const { id: userId } = await call("user.v2.UserService/CreateUser", {
      organizationId: organizations[0],
      username,
      human: {
        profile: { givenName, familyName, nickName: `${givenName}_%` },
        email: { email: `${familyName.length}-${username.length}@Other.example`, isVerified: true },
      },
    });
    if (username === "100%") await call("user.v2.UserService/LockUser", { userId });
    if (username === "under_score") await call("user.v2.UserService/DeactivateUser", { userId });
  }
  const { organizationId } = await call("org.v2.OrganizationService/AddOrganization", { name: "Délta 100%" });
  await call("org.v2.OrganizationService/DeactivateOrganization", { organizationId });
  for (const [index, key] of ["plan_%", "Plan", "áge"].entries()) {
    const metadata = [{ key, value: index === 0 ? "AAEC" : "AwQF" }];
    const body = { organizationId: organizations[0], metadata };
    await call("org.v2.OrganizationService/SetOrganizationMetadata", body);
  }
}

/** Lends a project to three organizations, and two more to one of them; returns the last of these grants. */
async function lendProjects(call: Ask, { organizations, projects }: FewThings): Promise<string> {
  const service = "project.v2.ProjectService";
  const [home, owner, partner] = organizations;
  const projectId = projects[0];
  const lent = { projectId, grantedOrganizationId: partner, roleKeys: ["beta", "gamma", "alpha"] };
  await call(`${service}/UpdateProjectGrant`, lent);
  await call(`${service}/CreateProjectGrant`, { ...lent, grantedOrganizationId: home, roleKeys: ["alpha"] });
  const third = await call("org.v2.OrganizationService/AddOrganization", { name: "Third" });
  await call(`${service}/CreateProjectGrant`, { ...lent, grantedOrganizationId: third.organizationId, roleKeys: [] });
  let last = "";
  for (const name of ["P_delta", "p-épsilon%"]) {
    const made = await call(`${service}/CreateProject`, { organizationId: owner, name });
    last = made.projectId;
    await call(`${service}/CreateProjectGrant`, {
      projectId: made.projectId,
      grantedOrganizationId: partner,
      roleKeys: [],
    });
  }
  return last;
}

async function assignRoles(call: Ask, { organizations, projects, users, machines, groups }: FewThings): Promise<void> {
  const [home, owner, partner] = organizations;
  for (const [assignee, organizationId, roleKeys] of [
    [{ userId: users[0] }, partner, ["beta"]],
    [{ userId: users[1] }, home, ["alpha"]],
    [{ userId: machines[0] }, owner, ["gamma", "alpha"]],
    [{ groupId: groups[0] }, owner, ["beta", "gamma"]],
  ] as const) {
    const body = { ...assignee, projectId: projects[0], organizationId, roleKeys };
    await call("authorization.v2.AuthorizationService/CreateAuthorization", body);
  }
}

async function appointEverywhere(
  call: Ask,
  { organizations, projects, users, machines }: FewThings,
  { owner, alsoLent }: { readonly owner: string; readonly alsoLent: string },
): Promise<void> {
  const [home, , partner] = organizations;
  const projectId = projects[0];
  const instance = { instance: true };
  const project = { projectId };
  const grant = { projectGrant: { projectId, organizationId: partner } };
  const homeResource = { organizationId: home };
  for (const [userId, resource, role] of [
    [users[0], instance, "IAM_OWNER_VIEWER"],
    [users[1], instance, "IAM_ORG_MANAGER"],
    [users[2], instance, "IAM_OWNER_VIEWER"],
    [machines[2], instance, "IAM_LOGIN_CLIENT"],
    [users[0], homeResource, "ORG_USER_MANAGER"],
    [machines[0], homeResource, "ORG_OWNER_VIEWER"],
    [users[0], project, "PROJECT_OWNER"],
    [users[2], project, "PROJECT_OWNER_VIEWER"],
    [machines[1], project, "PROJECT_OWNER_VIEWER"],
    [users[0], grant, "PROJECT_GRANT_OWNER"],
    [users[1], grant, "PROJECT_GRANT_OWNER_VIEWER"],
    [machines[1], grant, "PROJECT_GRANT_OWNER"],
    [users[2], { projectGrant: { projectId, organizationId: home } }, "PROJECT_GRANT_OWNER_VIEWER"],
    [users[2], { projectGrant: { projectId: alsoLent, organizationId: partner } }, "PROJECT_GRANT_OWNER"],
    [owner, homeResource, "ORG_OWNER"],
    [owner, project, "PROJECT_OWNER"],
    [owner, grant, "PROJECT_GRANT_OWNER"],
  ] as const) {
    const body = { userId, resource, roles: [role] };
    await call("internal_permission.v2.InternalPermissionService/CreateAdministrator", body);
  }
}

async function addApplications(call: Ask, { projects }: FewThings): Promise<void> {
  const service = "application.v2.ApplicationService/CreateApplication";
  const oidcConfiguration = {
    redirectUris: ["https://app.example/callback"],
    responseTypes: ["OIDC_RESPONSE_TYPE_CODE"],
    grantTypes: ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE"],
    applicationType: "OIDC_APP_TYPE_WEB",
    authMethodType: "OIDC_AUTH_METHOD_TYPE_BASIC",
  };
  await call(service, { projectId: projects[0], name: "Web_100%", oidcConfiguration });
  await call(service, { projectId: projects[1], name: "web", oidcConfiguration });
  // A key in another project, of another organization.
  const apiConfiguration = { authMethodType: "API_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT" };
  const { applicationId } = await call(service, { projectId: projects[1], name: "API", apiConfiguration });
  const key = { projectId: projects[1], applicationId, expirationDate: later };
  await call("application.v2.ApplicationService/CreateApplicationKey", key);
}

/** Adds providers at every level, and returns those at which the first user has an account. */
async function addProviders(call: Ask, { organizations, users }: FewThings): Promise<readonly string[]> {
  const linked: string[] = [];
  const admin = "admin.v1.AdminService";
  const management = "management.v1.ManagementService";
  const own = { organization: organizations[0] };
  for (const name of ["Idp-beta", "idp_gamma", "idp-alpha%"]) {
    const common = { clientId: "client", clientSecret: "secret", issuer: "https://issuer.example", scopes: ["openid"] };
    await call(`${admin}/AddOIDCIDP`, { name: `${name} of all`, ...common });
    await call(`${management}/AddOrgOIDCIDP`, { name, ...common }, own);
    await call(`${management}/AddGenericOIDCProvider`, { name: `${name} new`, ...common }, own);
    const options = { providerOptions: { isLinkingAllowed: true } };
    const ofAll = { name: `${name} of all, new`, ...common, ...options };
    const { id: idpId } = await call(`${admin}/AddGenericOIDCProvider`, ofAll);
    await call(`${admin}/AddIDPToLoginPolicy`, { idpId });
    const idpLink = { idpId, userId: `external ${name}`, userName: name };
    await call("user.v2.UserService/AddIDPLink", { userId: users[0], idpLink });
    linked.push(idpId);
    const sender = { senderAddress: "login@mail.example", senderName: name, host: "mail.example:25", none: {} };
    await call(`${admin}/AddEmailProviderSMTP`, sender);
    await call(`${admin}/AddSMSProviderHTTP`, { endpoint: "https://hooks.example/", description: name });
  }
  return linked;
}

/** Makes three of what one user, one application, and the owner have. */
async function addCredentials(call: Ask, { machines, projects, applications }: FewThings, owner: string) {
  const of = { userId: machines[0], expirationDate: later };
  const ofApplication = { projectId: projects[0], applicationId: applications[0], expirationDate: later };
  for (const projectId of projects) {
    await call("user.v2.UserService/AddKey", of);
    await call("user.v2.UserService/AddPersonalAccessToken", of);
    await call("application.v2.ApplicationService/CreateApplicationKey", ofApplication);
    await call("authorization.v2.AuthorizationService/CreateAuthorization", { userId: owner, projectId, roleKeys: [] });
  }
}

async function makeSessions(call: Ask, { users, machines }: FewThings) {
  const creator = at(machines, 2);
  const { token } = await call("user.v2.UserService/AddPersonalAccessToken", {
    userId: creator,
    expirationDate: later,
  });
  const sessionsOfAnother = new Set<string>();
  for (const [index, fingerprintId] of names.entries()) {
    const checks = { user: { userId: at(users, index === 1 ? 0 : index) } };
    const body = { checks, userAgent: { fingerprintId }, lifetime: `${864_000 * (index + 1)}s` };
    await call("session.v2.SessionService/CreateSession", body);
    const made = await call("session.v2.SessionService/CreateSession", { checks }, { token });
    sessionsOfAnother.add(made.sessionId);
  }
  return { creator, sessionsOfAnother };
}

/** Jobs that were canceled, of each organization, and one of the instance that was done. Returns that one. */
async function createJobs(call: Ask, { users, organizations }: FewThings): Promise<string> {
  const jobs = "job.v2.JobService";
  const ids: string[] = [];
  for (const organizationId of ["", ...organizations.slice(0, 5)]) {
    const of = { organizationId, userIds: { userIds: users.slice(0, organizationId === "" ? 4 : 1) } };
    const { job } = await call(`${jobs}/CreateJob`, { ...of, lock: {}, dryRun: true });
    ids.push(job.id);
    if (organizationId !== "") await call(`${jobs}/CancelJob`, { id: job.id });
    else {
      const isDone = async () => (await call(`${jobs}/GetJob`, { id: job.id })).job.state === "JOB_STATE_COMPLETED";
      await eventually(isDone, "the job is done");
    }
  }
  return ids[0] ?? "";
}

/** Attempts to sign in that failed, and one that did not. */
async function attemptToSignIn(call: Ask, { users, organizations }: FewThings): Promise<void> {
  const sessions = "session.v2.SessionService/CreateSession";
  for (const userId of users) {
    await assert.rejects(call(sessions, { checks: { user: { userId }, password: { password: "wrong" } } }));
  }
  const password = { password: "correct horse battery staple" };
  const { id: userId } = await call("user.v2.UserService/CreateUser", {
    organizationId: at(organizations, 0),
    username: "signs-in",
    human: {
      profile: { givenName: "Signs", familyName: "In" },
      email: { email: "signs-in@mail.example", isVerified: true },
      password: { ...password, changeRequired: false },
    },
  });
  await call(sessions, { checks: { user: { userId }, password } });
}

async function readGrants(call: Ask, { organizations }: FewThings): Promise<Map<string, string>> {
  const grants = new Map<string, string>();
  for (const organization of organizations) {
    const { result = [] } = await call("management.v1.ManagementService/ListAllProjectGrants", {}, { organization });
    for (const { projectId, grantedOrgId, grantId } of result) grants.set(`${projectId} ${grantedOrgId}`, grantId);
  }
  return grants;
}

async function readDomains(call: Ask): Promise<Map<string, string[]>> {
  const domains = new Map<string, string[]>();
  const { result } = await call("org.v2.OrganizationService/ListOrganizations", {});
  for (const { id } of result) {
    const listed = await call("org.v2.OrganizationService/ListOrganizationDomains", { organizationId: id });
    domains.set(
      id,
      listed.domains.map(({ domain }: { domain: string }) => domain),
    );
  }
  return domains;
}

/** Adds metadata to some users, and returns the metadata of all. */
async function addMetadata(call: Ask, { users }: FewThings, owner: string): Promise<Things["metadata"]> {
  const known = new Map(users.map((id, index) => [id, [{ key: `key-${names[index]}`, value: "AAEC" }]]));
  for (const userId of [at(users, 0), owner]) {
    const metadata = [
      { key: "Key_1", value: "AwQF" },
      { key: "ké%", value: "AAEC" },
      { key: "last", value: "AwQF" },
    ];
    await call("user.v2.UserService/SetUserMetadata", { userId, metadata });
    known.set(userId, [...(known.get(userId) ?? []), ...metadata]);
  }
  return known;
}
