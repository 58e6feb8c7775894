import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import type { TestServer } from "../../support/servers/server.ts";

/** Ids of what `makeThings` makes, three of each kind: their names are not in the order of their creation. */
export interface FewThings {
  readonly organizations: readonly string[];
  readonly users: readonly string[];
  readonly machines: readonly string[];
  readonly projects: readonly string[];
  readonly applications: readonly string[];
  readonly groups: readonly string[];
  readonly targets: readonly string[];
  readonly targetKeys: readonly string[];
  readonly keys: readonly string[];
  readonly tokens: readonly string[];
  /** The instance of the calls first. */
  readonly instances: readonly string[];
}

/** Calls a method that has to succeed: for v1 in an organization, or with the token of another user. */
export type Ask = (
  method: string,
  body: object,
  as?: { readonly organization?: string | undefined; readonly token?: string },
  // biome-ignore lint/suspicious/noExplicitAny: answers are only read for their ids.
) => Promise<any>;

const names = ["beta", "gamma", "alpha"];

const pemOf = (curve: string): string =>
  String(generateKeyPairSync("ec", { namedCurve: curve }).publicKey.export({ type: "spki", format: "pem" }));
const rsa = Buffer.from(
  String(generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey.export({ type: "spki", format: "pem" })),
).toString("base64");

/** Makes three of everything that is listed, each at another moment, and changes the middle one last. */
export async function makeThings(server: TestServer, ask: Ask, askAsSystem: Ask): Promise<FewThings> {
  const three = async (make: (name: string, index: number) => Promise<string>): Promise<string[]> => {
    const made: string[] = [];
    for (const [index, name] of names.entries()) {
      server.clock.now += 1000;
      made.push(await make(name, index));
    }
    return made;
  };
  const at = (ids: readonly string[], index: number): string => ids[index % ids.length] ?? assert.fail();
  // Years of the dates at which things expire, in an order of their own.
  const expirationOf = (index: number): string => `${[2101, 2100, 2102][index]}-01-01T00:00:00Z`;

  const organizations = await three(async (name) => {
    const { organizationId } = await ask("org.v2.OrganizationService/AddOrganization", { name });
    await ask("settings.v2.SettingsService/SetOrganizationSettings", {
      organizationId,
      organizationScopedUsernames: name !== "gamma",
    });
    return organizationId;
  });
  const organizationId = at(organizations, 0);
  // Organizations are found by verified domains only.
  const policy = { userLoginMustBeDomain: true, validateOrgDomains: false };
  await ask("admin.v1.AdminService/UpdateDomainPolicy", policy);
  for (const name of names) {
    server.clock.now += 1000;
    await ask("org.v2.OrganizationService/AddOrganizationDomain", { organizationId, domain: `${name}.example` });
  }
  const users = await three(async (name, index) => {
    const profile = {
      givenName: `g-${name}`,
      familyName: `f-${names[(index + 1) % 3]}`,
      nickName: `n-${names[(index + 2) % 3]}`,
    };
    const email = { email: `${names[(index + 1) % 3]}@mail.example`, isVerified: true };
    const human = { profile, email, phone: { phone: `+4179123456${index}`, isVerified: true } };
    const body = { organizationId: at(organizations, index + 1), username: `u-${name}`, human };
    const { id } = await ask("user.v2.UserService/CreateUser", body);
    for (const _ of names) {
      server.clock.now += 1000;
      await ask("session.v2.SessionService/CreateSession", { checks: { user: { userId: id } } });
    }
    await ask("user.v2.UserService/SetUserMetadata", { userId: id, metadata: [{ key: `key-${name}`, value: "AAEC" }] });
    return id;
  });
  const machines = await three(async (name, index) => {
    const body = { organizationId: at(organizations, index + 2), username: `m-${name}`, machine: { name } };
    return (await ask("user.v2.UserService/CreateUser", body)).id;
  });
  const keys = await three(async (_name, index) => {
    const body = { userId: at(machines, index + 1), expirationDate: expirationOf(index), publicKey: rsa };
    return (await ask("user.v2.UserService/AddKey", body)).keyId;
  });
  const tokens = await three(async (_name, index) => {
    const body = { userId: at(machines, index + 1), expirationDate: expirationOf(index) };
    return (await ask("user.v2.UserService/AddPersonalAccessToken", body)).tokenId;
  });
  const projects = await three(async (name, index) => {
    const body = { organizationId: at(organizations, index + 1), name: `p-${name}` };
    return (await ask("project.v2.ProjectService/CreateProject", body)).projectId;
  });
  const projectId = at(projects, 0);
  for (const roleKey of names) {
    server.clock.now += 1000;
    await ask("project.v2.ProjectService/AddProjectRole", { projectId, roleKey, displayName: roleKey });
  }
  for (const [index, project] of projects.entries()) {
    server.clock.now += 1000;
    const grant = { projectId: project, grantedOrganizationId: at(organizations, index + 2), roleKeys: [] };
    await ask("project.v2.ProjectService/CreateProjectGrant", grant);
  }
  const applications = await three(async (name) => {
    const apiConfiguration = { authMethodType: "API_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT" };
    const body = { projectId, name, apiConfiguration };
    return (await ask("application.v2.ApplicationService/CreateApplication", body)).applicationId;
  });
  for (const index of names.keys()) {
    server.clock.now += 1000;
    const key = { projectId, applicationId: at(applications, index + 1), expirationDate: expirationOf(index) };
    await ask("application.v2.ApplicationService/CreateApplicationKey", key);
  }
  const authorizations = await three(async (_name, index) => {
    const scope = { projectId: at(projects, index), organizationId: at(organizations, index + 1) };
    const body = { userId: at(users, index + 1), ...scope, roleKeys: [] };
    return (await ask("authorization.v2.AuthorizationService/CreateAuthorization", body)).id;
  });
  const groups = await three(async (name, index) => {
    const body = { organizationId: at(organizations, index + 1), name };
    return (await ask("group.v2.GroupService/CreateGroup", body)).id;
  });
  for (const [index, id] of groups.entries()) {
    server.clock.now += 1000;
    await ask("group.v2.GroupService/AddUsersToGroup", { id, userIds: [at(users, index)] });
  }
  const resources = await three(async (name, index) => {
    const body = { projectId: at(projects, index + 1), name, uri: `https://${name}.tools.test/mcp` };
    return (await ask("resource.v2.ResourceService/CreateResource", body)).id;
  });
  const administrator = "internal_permission.v2.InternalPermissionService";
  for (const index of names.keys()) {
    server.clock.now += 1000;
    const resource = { organizationId: at(organizations, index) };
    await ask(`${administrator}/CreateAdministrator`, { userId: at(users, index + 1), resource, roles: ["ORG_OWNER"] });
  }
  const kinds = [
    { restAsync: {} },
    { restCall: { interruptOnError: true } },
    { restWebhook: { interruptOnError: false } },
  ];
  const targets = await three(async (name, index) => {
    const body = {
      name: `t-${name}`,
      endpoint: `https://${names[(index + 1) % 3]}.example/`,
      timeout: `${[5, 3, 9][index]}s`,
      ...kinds[index],
    };
    return (await ask("action.v2.ActionService/CreateTarget", body)).id;
  });
  const targetId = at(targets, 0);
  const curves = ["P-256", "P-384", "P-521"];
  const targetKeys = await three(async (_name, index) => {
    const publicKey = Buffer.from(pemOf(curves[index] ?? "")).toString("base64");
    const body = { targetId, publicKey, expirationDate: expirationOf(index) };
    return (await ask("action.v2.ActionService/AddPublicKey", body)).keyId;
  });
  const byName = { function: { name: "preuserinfo" } };
  for (const condition of [{ event: { event: "user.created" } }, byName, { event: { group: "project" } }]) {
    server.clock.now += 1000;
    await ask("action.v2.ActionService/SetExecution", { condition, targets: [targetId] });
  }
  const { instance } = await ask("instance.v2.InstanceService/GetInstance", {});
  const others = await Promise.all(
    ["gamma", "alpha"].map(async (name) => {
      const machine = { userName: "robot", name: "robot", personalAccessToken: {} };
      const body = { instanceName: name, firstOrgName: name, customDomain: `${name}.test`, machine };
      return (await askAsSystem("system.v1.SystemService/CreateInstance", body)).instanceId;
    }),
  );
  for (const name of names) {
    server.clock.now += 1000;
    await askAsSystem("instance.v2.InstanceService/AddCustomDomain", {
      instanceId: instance.id,
      customDomain: `${name}.host.test`,
    });
    await ask("instance.v2.InstanceService/AddTrustedDomain", { trustedDomain: `${name}.links.test` });
  }

  // The last change is to the middle one.
  server.clock.now += 1000;
  await ask("project.v2.ProjectService/UpdateProject", { projectId: at(projects, 1), projectRoleAssertion: true });
  await ask("project.v2.ProjectService/UpdateProjectRole", { projectId, roleKey: "gamma", displayName: "changed" });
  const lent = { projectId: at(projects, 1), grantedOrganizationId: at(organizations, 3) };
  await ask("project.v2.ProjectService/DeactivateProjectGrant", lent);
  await ask("application.v2.ApplicationService/DeactivateApplication", {
    applicationId: at(applications, 1),
    projectId,
  });
  await ask("authorization.v2.AuthorizationService/DeactivateAuthorization", { id: at(authorizations, 1) });
  await ask("group.v2.GroupService/UpdateGroup", { id: at(groups, 1), description: "changed" });
  await ask("resource.v2.ResourceService/UpdateResource", { id: at(resources, 1), accessTokenLifetime: "60s" });
  const resource = { organizationId: at(organizations, 1) };
  await ask(`${administrator}/UpdateAdministrator`, { userId: at(users, 2), resource, roles: ["ORG_OWNER_VIEWER"] });
  await ask("action.v2.ActionService/UpdateTarget", { id: at(targets, 1), timeout: "4s" });
  await ask("action.v2.ActionService/ActivatePublicKey", { targetId, keyId: at(targetKeys, 1) });
  await ask("action.v2.ActionService/SetExecution", { condition: byName, targets: [at(targets, 1)] });
  await ask("settings.v2.SettingsService/SetOrganizationSettings", {
    organizationId: at(organizations, 1),
    organizationScopedUsernames: true,
  });
  await ask("user.v2.UserService/DeactivateUser", { userId: at(users, 1) });
  const instances = [instance.id, ...others];
  return {
    organizations,
    users,
    machines,
    projects,
    applications,
    groups,
    targets,
    targetKeys,
    keys,
    tokens,
    instances,
  };
}
