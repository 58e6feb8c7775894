import type { TestContext } from "node:test";
import { sql } from "../../../src/database/index.ts";
import type { Engine } from "../../support/databases/databases.ts";
import { type Template, templateOf } from "../../support/databases/templates.ts";
import { addPerson, sessionOf } from "../../support/people/people.ts";
import { systemUser } from "../../support/people/system-user.ts";
import { type ServerFacts, startServer, startToFill, type TestServer } from "../../support/servers/server.ts";
import { type Ask, askBy, beginSignIns, fillInstance, fillOrganization } from "./fill-tenant.ts";
import { freeze, makeFreezable } from "./frozen.ts";
import { type Principal, publishedRoles } from "./model.ts";
import { absentTenant, type Objects, type Tenant, type TenantName } from "./tenant.ts";

export interface MatrixFixtures {
  readonly server: TestServer;
  readonly principals: readonly Principal[];
  readonly tenants: Readonly<Record<TenantName, Tenant>>;
}

const otherHost = "other.example";

/** Two instances, the first with two filled organizations, and every kind of caller; frozen. */
export async function makeMatrixFixtures(t: TestContext, engine: Engine): Promise<MatrixFixtures> {
  const template = await matrixTemplate(engine);
  const { config, tokenFor } = systemUser(t);
  // Nowhere is a mail server: no call waits long for one.
  const options = { engine, config, mailTimeout: 200, template: async () => template };
  const server = await startServer(t, options);
  const { beforeSystem, afterSystem, tenants } = template.facts;
  const position = { role: "SYSTEM_OWNER", level: "system", resourceId: "" };
  const system: Principal = { name: "system user", token: tokenFor(server), position };
  // What jobs have to do after a start is done while they can still write.
  await server.app.jobs.tick();
  await freeze(server.app.domain.database);
  return { server, principals: [...beforeSystem, system, ...afterSystem], tenants };
}

/** What is kept of the fixtures: all but the server, and the system user, who signs for each server. */
interface MatrixFacts extends ServerFacts, Pick<MatrixFixtures, "tenants"> {
  readonly beforeSystem: readonly Principal[];
  readonly afterSystem: readonly Principal[];
}

function matrixTemplate(engine: Engine): Promise<Template<MatrixFacts>> {
  return templateOf({
    name: "matrix",
    engine,
    fill: async (t, location) => {
      await makeFreezable(location);
      const { config, tokenFor } = systemUser(t);
      const server = await startToFill(t, location, { config });
      return { ownerToken: server.ownerToken, ...(await fillServer(server, tokenFor(server))) };
    },
  });
}

async function fillServer(server: TestServer, systemToken: string): Promise<Omit<MatrixFacts, keyof ServerFacts>> {
  const ask = askBy((path, options) => server.rest("POST", path, options));
  const machine = { userName: "robot", name: "robot", personalAccessToken: { expirationDate: "2100-01-01T00:00:00Z" } };
  const system = askBy((path, options) => server.rest("POST", path, { ...options, token: systemToken }));
  const other = await system("system.v1.SystemService/CreateInstance", {
    instanceName: "Other",
    firstOrgName: "Other",
    customDomain: otherHost,
    machine,
  });
  const askOther = askBy((path, options) => server.byHost(otherHost, "POST", path, { ...options, token: other.pat }));
  const firstInstance = await firstOf(system);

  const ofFirst = { instance: firstInstance, host: "localhost", ...(await fillInstance(ask, "osprey")) };
  const own = await fill(server, ask, { name: "own", canary: "kestrel" }, ofFirst);
  // The user of `own` has to sign in to make calls about their own account.
  const self = await addPerson(server, { username: "kestrel-self", organizationId: own.objects["organization"] ?? "" });
  const ownWithSelf = { ...own, objects: { ...own.objects, ...(await asSelf(ask, self.userId, own)) } };
  const otherOrganization = await fill(server, ask, { name: "otherOrganization", canary: "ptarmigan" }, ofFirst);
  const far = { instance: other.instanceId, host: otherHost, ...(await fillInstance(askOther, "lapwing")) };
  const otherInstance = await fill(server, askOther, { name: "otherInstance", canary: "lapwing" }, far);
  const tenants = { own: ownWithSelf, otherOrganization, otherInstance, absent: absentTenant(own.objects) };
  const { token } = await sessionOf(server, self);
  return {
    tenants,
    beforeSystem: [
      { name: "anonymous", token: null },
      { name: "self", token, home: own.objects["organization"] ?? "", isSelf: true },
      { name: "owner of another instance", token: other.pat, isUnknown: true },
    ],
    afterSystem: await administrators(ask, tenants),
  };
}

async function firstOf(system: Ask): Promise<string> {
  const { result } = await system("system.v1.SystemService/ListInstances", { query: { asc: true, limit: 1 } });
  return result[0].id;
}

/** Makes an organization with one of everything. */
async function fill(
  server: TestServer,
  ask: Ask,
  { name, canary }: { readonly name: TenantName; readonly canary: string },
  ofInstance: Objects,
): Promise<Tenant> {
  const { organizationId } = await ask("org.v2.OrganizationService/AddOrganization", { name: `Home of ${name}` });
  const objects = await fillOrganization(ask, organizationId, canary);
  const { database } = server.app.domain;
  const grant = await database.read.maybe<{ grantId: string }>(
    sql`select grant_id as "grantId" from project_grants where project_id = ${objects["project"] ?? ""}`,
  );
  const { host = "" } = ofInstance;
  const now = server.clock.now;
  const begun = await beginSignIns((...given) => server.byHost(host, ...given), { ...objects, now });
  const device = await database.read.maybe<{ id: string }>(
    sql`select device_authorization_id as "id" from device_authorizations where client_id = ${objects["clientId"] ?? ""}`,
  );
  const ofDatabase = { grant: grant?.grantId ?? "", deviceAuthorization: device?.id ?? "" };
  const keys = await samlKeysOf(server, ask, host);
  return { name, canary, objects: { ...ofInstance, ...objects, ...begun, ...ofDatabase, ...keys } };
}

/** The keys of an instance for SAML, of which the first use makes one. */
async function samlKeysOf(server: TestServer, ask: Ask, host: string): Promise<Objects> {
  await server.byHost(host, "GET", "/saml/v2/metadata", { token: null });
  const service = "saml_key.v2.SAMLKeyService";
  const { key } = await ask(`${service}/StartSAMLKeyRotation`, {});
  const { keys } = await ask(`${service}/ListSAMLKeys`, {});
  return { samlKey: keys[0].id, nextSamlKey: key.id };
}

// The objects that calls are about, for the user who calls about their own account.
async function asSelf(ask: Ask, userId: string, { objects }: Tenant): Promise<Objects> {
  const users = "user.v2.UserService";
  await ask(`${users}/SetUserMetadata`, { userId, metadata: [{ key: "note", value: "AAEC" }] });
  await ask(`${users}/SetPhone`, { userId, phone: "+41791234569", isVerified: true });
  const { id: authorization } = await ask("authorization.v2.AuthorizationService/CreateAuthorization", {
    userId,
    projectId: objects["project"],
    organizationId: objects["organization"],
    roleKeys: ["reader"],
  });
  const { sessionId: session } = await ask("session.v2.SessionService/CreateSession", { checks: { user: { userId } } });
  await ask("group.v2.GroupService/AddUsersToGroup", { id: objects["group"], userIds: [userId] });
  return { user: userId, authorization, session };
}

/** One principal for each published role, where the role belongs; and holders elsewhere, or without a role. */
async function administrators(ask: Ask, tenants: MatrixFixtures["tenants"]): Promise<Principal[]> {
  const { own, otherOrganization } = tenants;
  const principals: Principal[] = [];
  for (const [role, { level }] of publishedRoles) {
    if (level !== "system") principals.push(await administrator(ask, own, { role, level, name: role }));
  }
  for (const [role, level] of [
    ["ORG_OWNER", "organization"],
    ["PROJECT_OWNER", "project"],
    ["PROJECT_GRANT_OWNER", "project_grant"],
  ] as const) {
    principals.push(
      await administrator(ask, otherOrganization, { role, level, name: `${role} of another organization` }),
    );
  }
  const home = own.objects["organization"] ?? "";
  const { token } = await robot(ask, home, "service account");
  return [...principals, { name: "service account of the same organization", token, home }];
}

async function administrator(
  ask: Ask,
  { objects }: Tenant,
  { role, level, name }: { readonly role: string; readonly level: string; readonly name: string },
): Promise<Principal> {
  const organization = objects["organization"] ?? "";
  const grantedOrganization = objects["grantedOrganization"] ?? "";
  const home = level === "project_grant" ? grantedOrganization : organization;
  const { userId, token } = await robot(ask, home, name);
  const projectId = objects["project"] ?? "";
  const resources: Readonly<Record<string, readonly [object, string]>> = {
    instance: [{ instance: true }, ""],
    organization: [{ organizationId: organization }, organization],
    project: [{ projectId }, projectId],
    project_grant: [{ projectGrant: { projectId, organizationId: grantedOrganization } }, objects["grant"] ?? ""],
  };
  const [resource, resourceId] = resources[level] ?? [{}, ""];
  await ask("internal_permission.v2.InternalPermissionService/CreateAdministrator", {
    userId,
    resource,
    roles: [role],
  });
  return { name, token, home, position: { role, level, resourceId } };
}

async function robot(ask: Ask, organizationId: string, name: string): Promise<{ userId: string; token: string }> {
  const username = `caller-${name.toLowerCase().replaceAll(/[^a-z]+/g, "-")}`;
  const machine = { name: "caller" };
  const { id: userId } = await ask("user.v2.UserService/CreateUser", { organizationId, username, machine });
  const expirationDate = "2100-01-01T00:00:00Z";
  const { token } = await ask("user.v2.UserService/AddPersonalAccessToken", { userId, expirationDate });
  return { userId, token };
}
