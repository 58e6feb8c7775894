import assert from "node:assert/strict";
import { test } from "node:test";
import { onPostgres } from "../support/databases/databases.ts";
import { isQueue, type NotedLock, type NotedUnit, noteLocks } from "../support/databases/noted-locks.ts";
import { type OidcServer, startOidcServer } from "../support/oidc/oidc.ts";
import { addOwnedOrganization } from "../support/people/owners.ts";
import { addPerson, appoint, sessionOf } from "../support/people/people.ts";
import { addForeignClient, refreshTokenOf, renew, takeAway } from "./support.ts";

const once = "each user, project and organization is deleted once, so there is no stream of them";

/** Pairs that units hold in both orders, and why no end is kept by them. */
const inBothOrders: Readonly<Record<string, string>> = {
  "authorizations, user": once,
  "membership_roles, user": once,
  "memberships, user": once,
  "organization, project": "a grant shares the organization that gets it, which is absent once it is being deleted",
  "pending_membership_roles, user": once,
  "settings, user": "settings of the instance, or of an organization that is being deleted",
};

// Units that hold two things in opposite order may wait for each other; the server ends one, which is repeated. An end
// must not meet a stream of others in this way (docs/design/052).
onPostgres(() => {
  test("units of work lock in one order", { timeout: 60_000 }, async (t) => {
    const server = await startOidcServer(t, { engine: "postgres" });
    const noted = noteLocks();
    for (const [name, operation] of Object.entries(operations)) {
      noted.begin(name);
      await operation(server);
    }
    const found = bothOrders(noted.units);
    assert.ok(noted.units.length > 50, `${noted.units.length} units`);
    const unexpected = [...found].filter(([pair]) => !(pair in inBothOrders));
    assert.deepEqual(unexpected, []);
    assert.deepEqual(
      Object.keys(inBothOrders).filter((pair) => !found.has(pair)),
      [],
    );
  });
});

/**
 * Returns the pairs that were locked in both orders, in a way that two units could wait for each other, with where. One
 * of each pair is something that units share; what belongs to it is locked behind it.
 */
function bothOrders(units: readonly NotedUnit[]): Map<string, readonly string[]> {
  const orders = new Map<
    string,
    { readonly first: NotedLock; readonly second: NotedLock; readonly during: Set<string> }
  >();
  for (const { locks, during } of units) {
    for (const [index, second] of locks.entries()) {
      const before = locks.slice(0, index);
      // What a unit has already, it does not wait for.
      if (before.some(({ of, hold }) => of === second.of && (hold === "alone" || second.hold === "share"))) continue;
      for (const first of before) {
        if (first.of === second.of || !(isQueue(first.of) || isQueue(second.of))) continue;
        const key = JSON.stringify([first, second]);
        const order = orders.get(key) ?? { first, second, during: new Set() };
        orders.set(key, order);
        order.during.add(during);
      }
    }
  }
  const found = new Map<string, readonly string[]>();
  const all = [...orders.values()];
  for (const one of all.filter(({ first, second }) => first.of < second.of)) {
    for (const other of all) {
      if (!excludes(one.first, other.second) || !excludes(one.second, other.first)) continue;
      const pair = `${one.first.of}, ${one.second.of}`;
      found.set(pair, [...new Set([...(found.get(pair) ?? []), [...one.during, "/", ...other.during].join(" ")])]);
    }
  }
  return found;
}

const excludes = (one: NotedLock, other: NotedLock): boolean =>
  one.of === other.of && (one.hold === "alone" || other.hold === "alone");

const operations: Readonly<Record<string, (server: OidcServer) => Promise<unknown>>> = {
  "a consent": async (server) => {
    const client = await addForeignClient(server);
    const user = await addPerson(server, { username: "anna" });
    const token = await refreshTokenOf(server, client, user);
    assert.ok(await renew(server, client, token));
    await takeAway(server, client, user);
  },
  "a user": async (server) => {
    const { organizationId } = await addOwnedOrganization(server, "Users");
    const user = await addPerson(server, { username: "bob", organizationId });
    const { userId } = user;
    await sessionOf(server, user);
    await users(server, "UpdateUser", { userId, username: "robert" });
    await users(server, "UpdateUser", { userId, username: "bob@mail.example" });
    await appoint(server, user, { organizationId }, ["ORG_OWNER"]);
    await appoint(server, user, { instance: true }, ["IAM_OWNER_VIEWER"]);
    for (const method of ["LockUser", "UnlockUser", "DeactivateUser", "ReactivateUser", "DeleteUser"])
      await users(server, method, { userId });
  },
  "a project": async (server) => {
    const owner = await addOwnedOrganization(server, "Projects");
    const partner = await addOwnedOrganization(server, "Partner");
    const { organizationId } = owner;
    const { userId } = await addPerson(server, { username: "dora", organizationId });
    const { projectId } = await projects(server, "CreateProject", { organizationId, name: "P" });
    await projects(server, "AddProjectRole", { projectId, roleKey: "r", displayName: "R" });
    const grant = { projectId, grantedOrganizationId: partner.organizationId };
    await projects(server, "CreateProjectGrant", { ...grant, roleKeys: ["r"] });
    const { id: groupId } = await groups(server, "CreateGroup", { organizationId, name: "G" });
    await groups(server, "AddUsersToGroup", { id: groupId, userIds: [userId] });
    const assignment = { userId, projectId, organizationId, roleKeys: ["r"] };
    const made = await authorizations(server, "CreateAuthorization", assignment);
    await authorizations(server, "UpdateAuthorization", { id: made.id, roleKeys: [] });
    const headers = { "x-service-orgid": organizationId };
    await server.rest("DELETE", "/management/v1/user_grants/_bulk", { body: { grantId: [made.id] }, headers });
    await authorizations(server, "CreateAuthorization", assignment);
    await groups(server, "RemoveUsersFromGroup", { id: groupId, userIds: [userId] });
    await server.createClient({}, projectId);
    await projects(server, "DeactivateProjectGrant", grant);
    await projects(server, "DeleteProjectGrant", grant);
    await projects(server, "DeleteProject", { projectId });
    await groups(server, "DeleteGroup", { id: groupId });
  },
  "names and settings": async (server) => {
    const { organizationId } = await addOwnedOrganization(server, "Names");
    const headers = { "x-service-orgid": organizationId };
    await addPerson(server, { username: "eve", organizationId });
    for (const userLoginMustBeDomain of [true, false])
      await server.rest("PUT", "/admin/v1/policies/domain", {
        body: { userLoginMustBeDomain, validateOrgDomains: false },
      });
    await server.rest("POST", "/management/v1/orgs/me/domains", { body: { domain: "names.example" }, headers });
    await server.rest("POST", "/management/v1/orgs/me/domains/names.example/_set_primary", { body: {}, headers });
    await server.rest("POST", "/management/v1/policies/login", { body: { allowUsernamePassword: true }, headers });
    await server.rest("DELETE", "/management/v1/policies/login", { headers });
  },
  "an organization": async (server) => {
    const { organizationId } = await addOwnedOrganization(server, "Tenant");
    const user = await addPerson(server, { username: "finn", organizationId });
    await sessionOf(server, user);
    await projects(server, "CreateProject", { organizationId, name: "P" });
    for (const method of ["DeactivateOrganization", "ActivateOrganization", "DeleteOrganization"])
      await ask(server, `org.v2.OrganizationService/${method}`, { organizationId });
  },
};

async function ask(server: OidcServer, method: string, body: object) {
  const answer = await server.connect(`service.${method}`, body);
  assert.equal(answer.status, 200, `${method}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

const of = (service: string) => (server: OidcServer, method: string, body: object) =>
  ask(server, `${service}/${method}`, body);
const users = of("user.v2.UserService");
const projects = of("project.v2.ProjectService");
const groups = of("group.v2.GroupService");
const authorizations = of("authorization.v2.AuthorizationService");
