import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import type { Chance } from "../../support/data/random.ts";
import type { RestAnswer, TestServer } from "../../support/servers/server.ts";

type Node = Pick<TestServer, "connect">;

/** The resources of one worker: no other worker touches them. */
export interface Estate {
  readonly organization: string;
  readonly partner: string;
  readonly project: string;
  readonly application: string;
  readonly user: string;
  readonly machine: string;
  readonly authorization: string;
  readonly session: string;
}

/** What is written and read now. */
export interface Turn {
  readonly estate: Estate;
  readonly writer: Node;
  readonly reader: Node;
  readonly chance: Chance;
  /** Another one each time: the written values are made from it. */
  readonly number: number;
}

/** What was written, and what the next read found. */
export interface Pair {
  readonly kind: string;
  readonly expected: string;
  readonly found: string;
}

type Kind = (turn: Turn, value: string) => Promise<Omit<Pair, "kind">>;

const user = "service.user.v2.UserService";
const organization = "service.org.v2.OrganizationService";
const project = "service.project.v2.ProjectService";
const application = "service.application.v2.ApplicationService";
const authorization = "service.authorization.v2.AuthorizationService";
const administrator = "service.internal_permission.v2.InternalPermissionService";
const session = "service.session.v2.SessionService";
const management = "service.management.v1.ManagementService";

const publicKey = Buffer.from(
  String(generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey.export({ type: "spki", format: "pem" })),
).toString("base64");

async function ask(node: Node, method: string, body: object, organizationId?: string): Promise<RestAnswer["body"]> {
  const headers = organizationId === undefined ? {} : { "x-service-orgid": organizationId };
  const answer = await node.connect(method, body, { headers });
  assert.equal(answer.status, 200, `${method}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

const base64 = (value: string): string => Buffer.from(value).toString("base64");

const kinds: Readonly<Record<string, Kind>> = {
  user: async ({ estate, writer, reader }, value) => {
    await ask(writer, `${user}/UpdateUser`, {
      userId: estate.user,
      human: { profile: { givenName: value, familyName: "F" } },
    });
    const { user: read } = await ask(reader, `${user}/GetUserByID`, { userId: estate.user });
    return { expected: value, found: read.human.profile.givenName };
  },
  "user in a list": async ({ estate, writer, reader }, value) => {
    await ask(writer, `${user}/UpdateUser`, { userId: estate.machine, username: value });
    const { result } = await ask(reader, `${user}/ListUsers`, {
      queries: [{ inUserIdsQuery: { userIds: [estate.machine] } }],
    });
    return { expected: value, found: result[0].username };
  },
  "new user and deleted user": async ({ estate, writer, reader }, value) => {
    const machine = { name: value };
    const { id } = await ask(writer, `${user}/CreateUser`, {
      organizationId: estate.organization,
      username: value,
      machine,
    });
    const query = { queries: [{ inUserIdsQuery: { userIds: [id] } }] };
    const listed = await ask(reader, `${user}/ListUsers`, query);
    await ask(writer, `${user}/DeleteUser`, { userId: id });
    const after = await ask(reader, `${user}/ListUsers`, query);
    return { expected: "1 then 0", found: `${listed.result?.length} then ${after.result?.length ?? 0}` };
  },
  organization: async ({ estate, writer, reader }, value) => {
    await ask(writer, `${organization}/UpdateOrganization`, { organizationId: estate.organization, name: value });
    const query = { queries: [{ idQuery: { id: estate.organization } }] };
    return { expected: value, found: (await ask(reader, `${organization}/ListOrganizations`, query)).result[0].name };
  },
  project: async ({ estate, writer, reader }, value) => {
    await ask(writer, `${project}/UpdateProject`, { projectId: estate.project, name: value });
    const read = await ask(reader, `${project}/GetProject`, { projectId: estate.project });
    return { expected: value, found: read.project.name };
  },
  role: async ({ estate, writer, reader }, value) => {
    const ofProject = { projectId: estate.project };
    await ask(writer, `${project}/AddProjectRole`, { ...ofProject, roleKey: value, displayName: value });
    const listed = await ask(reader, `${project}/ListProjectRoles`, ofProject);
    await ask(writer, `${project}/RemoveProjectRole`, { ...ofProject, roleKey: value });
    const after = await ask(reader, `${project}/ListProjectRoles`, ofProject);
    const has = (body: { projectRoles: { key: string }[] }): boolean =>
      body.projectRoles.some(({ key }) => key === value);
    return { expected: "true then false", found: `${has(listed)} then ${has(after)}` };
  },
  "project grant": async ({ estate, writer, reader, chance }) => {
    const grant = { projectId: estate.project, grantedOrganizationId: estate.partner };
    const roleKeys = chance.one([["reader"], ["writer"], ["reader", "writer"]]);
    await ask(writer, `${project}/UpdateProjectGrant`, { ...grant, roleKeys });
    const filters = [{ inProjectIdsFilter: { ids: [estate.project] } }];
    const { projectGrants } = await ask(reader, `${project}/ListProjectGrants`, { filters });
    return { expected: roleKeys.join(), found: projectGrants[0].grantedRoleKeys.toSorted().join() };
  },
  application: async ({ estate, writer, reader }, value) => {
    const held = { applicationId: estate.application, projectId: estate.project };
    await ask(writer, `${application}/UpdateApplication`, { ...held, name: value });
    const read = await ask(reader, `${application}/GetApplication`, { applicationId: estate.application });
    return { expected: value, found: read.application.name };
  },
  authorization: async ({ estate, writer, reader, chance }) => {
    const roleKeys = chance.one([["reader"], ["writer"], ["reader", "writer"]]);
    await ask(writer, `${authorization}/UpdateAuthorization`, { id: estate.authorization, roleKeys });
    const filters = [{ authorizationIds: { ids: [estate.authorization] } }];
    const { authorizations } = await ask(reader, `${authorization}/ListAuthorizations`, { filters });
    const found = authorizations[0].roles.map(({ key }: { key: string }) => key).toSorted();
    return { expected: roleKeys.join(), found: found.join() };
  },
  member: async ({ estate, writer, reader, chance }) => {
    const roles = chance.one([["ORG_OWNER"], ["ORG_OWNER_VIEWER"], ["ORG_OWNER", "ORG_USER_MANAGER"]]);
    const resource = { organizationId: estate.organization };
    await ask(writer, `${administrator}/UpdateAdministrator`, { userId: estate.machine, resource, roles });
    const filters = [{ inUserIdsFilter: { ids: [estate.machine] } }];
    const { administrators } = await ask(reader, `${administrator}/ListAdministrators`, { filters });
    return { expected: roles.join(), found: administrators[0].roles.toSorted().join() };
  },
  metadata: async ({ estate, writer, reader }, value) => {
    const metadata = [{ key: "note", value: base64(value) }];
    await ask(writer, `${user}/SetUserMetadata`, { userId: estate.user, metadata });
    const read = await ask(reader, `${user}/ListUserMetadata`, { userId: estate.user });
    return { expected: base64(value), found: read.metadata[0].value };
  },
  "metadata of an organization": async ({ estate, writer, reader }, value) => {
    const ofOrganization = { organizationId: estate.organization };
    await ask(writer, `${organization}/SetOrganizationMetadata`, {
      ...ofOrganization,
      metadata: [{ key: "note", value: base64(value) }],
    });
    const read = await ask(reader, `${organization}/ListOrganizationMetadata`, ofOrganization);
    return { expected: base64(value), found: read.metadata[0].value };
  },
  settings: async ({ estate, writer, reader, number }) => {
    const maxPasswordAttempts = 1 + (number % 90);
    await ask(writer, `${management}/UpdateCustomLockoutPolicy`, { maxPasswordAttempts }, estate.organization);
    const ctx = { orgId: estate.organization };
    const read = await ask(reader, "service.settings.v2.SettingsService/GetLockoutSettings", { ctx });
    return { expected: `${maxPasswordAttempts}`, found: `${read.settings.maxPasswordAttempts}` };
  },
  session: async ({ estate, writer, reader }, value) => {
    const sessionId = estate.session;
    await ask(writer, `${session}/SetSession`, { sessionId, metadata: { note: base64(value) } });
    const read = await ask(reader, `${session}/GetSession`, { sessionId });
    return { expected: base64(value), found: read.session.metadata.note };
  },
  "new session and ended session": async ({ estate, writer, reader }) => {
    const { sessionId } = await ask(writer, `${session}/CreateSession`, { checks: { user: { userId: estate.user } } });
    const query = { queries: [{ idsQuery: { ids: [sessionId] } }] };
    const listed = await ask(reader, `${session}/ListSessions`, query);
    await ask(writer, `${session}/DeleteSession`, { sessionId });
    const after = await ask(reader, `${session}/ListSessions`, query);
    return { expected: "1 then 0", found: `${listed.sessions?.length} then ${after.sessions?.length ?? 0}` };
  },
  key: async ({ estate, writer, reader }) => {
    const expirationDate = "2100-01-01T00:00:00Z";
    const { keyId } = await ask(writer, `${user}/AddKey`, { userId: estate.machine, expirationDate, publicKey });
    const query = { filters: [{ keyIdFilter: { id: keyId } }] };
    const listed = await ask(reader, `${user}/ListKeys`, query);
    await ask(writer, `${user}/RemoveKey`, { userId: estate.machine, keyId });
    const after = await ask(reader, `${user}/ListKeys`, query);
    return { expected: "1 then 0", found: `${listed.result?.length} then ${after.result?.length ?? 0}` };
  },
};

const names = Object.keys(kinds);

/** Writes a random kind of value, reads it at once, and returns what was expected and found. */
export async function writeAndRead(turn: Turn): Promise<Pair> {
  const kind = turn.number < names.length ? (names[turn.number] ?? "") : turn.chance.one(names);
  return { kind, ...(await (kinds[kind] ?? assert.fail())(turn, `value-${turn.number}`)) };
}

/** Makes what a worker writes and reads. */
export async function makeEstate(server: Node, worker: number): Promise<Estate> {
  const { organizationId } = await ask(server, `${organization}/AddOrganization`, { name: `Worker ${worker}` });
  const { organizationId: partner } = await ask(server, `${organization}/AddOrganization`, {
    name: `Partner ${worker}`,
  });
  const { id: userId } = await ask(server, `${user}/CreateUser`, {
    organizationId,
    username: `person-${worker}`,
    human: {
      profile: { givenName: "G", familyName: "F" },
      email: { email: `person-${worker}@mail.example`, isVerified: true },
    },
  });
  const { id: machine } = await ask(server, `${user}/CreateUser`, {
    organizationId,
    username: `machine-${worker}`,
    machine: { name: "M" },
  });
  const { projectId } = await ask(server, `${project}/CreateProject`, { organizationId, name: `Project ${worker}` });
  for (const roleKey of ["reader", "writer"]) {
    await ask(server, `${project}/AddProjectRole`, { projectId, roleKey, displayName: roleKey });
  }
  const grant = { projectId, grantedOrganizationId: partner, roleKeys: ["reader", "writer"] };
  await ask(server, `${project}/CreateProjectGrant`, grant);
  const { applicationId } = await ask(server, `${application}/CreateApplication`, {
    projectId,
    name: "App",
    apiConfiguration: { authMethodType: "API_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT" },
  });
  const { id } = await ask(server, `${authorization}/CreateAuthorization`, {
    userId,
    projectId,
    organizationId,
    roleKeys: ["reader"],
  });
  const resource = { organizationId };
  await ask(server, `${administrator}/CreateAdministrator`, { userId: machine, resource, roles: ["ORG_OWNER_VIEWER"] });
  const { sessionId } = await ask(server, `${session}/CreateSession`, { checks: { user: { userId } } });
  await ask(server, `${management}/AddCustomLockoutPolicy`, { maxPasswordAttempts: 1 }, organizationId);
  return {
    organization: organizationId,
    partner,
    project: projectId,
    application: applicationId,
    user: userId,
    machine,
    authorization: id,
    session: sessionId,
  };
}
