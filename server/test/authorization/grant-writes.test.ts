import assert from "node:assert/strict";
import { test } from "node:test";
import { slugOf } from "../factor/support.ts";
import { makeServiceAccount } from "../support/oidc/registration.ts";
import { addOrganization, addPerson, appoint, sessionOf } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";

const projects = "service.project.v2.ProjectService";
const roles = "service.authorization.v2.AuthorizationService";
const positions = "service.internal_permission.v2.InternalPermissionService";
const management = "service.management.v1.ManagementService";

type State = "none" | "active" | "inactive";

/** A write: what must exist before it, and whether it gives roles. */
interface Write {
  readonly before: State;
  readonly roleKeys?: readonly string[];
  readonly gives: boolean;
  readonly method: string;
  readonly body: (of: { readonly id: string; readonly assignee: object; readonly location: object }) => object;
}

const both = ["reader", "admin"];
const writes: Readonly<Record<string, Write>> = {
  create: {
    before: "none",
    gives: true,
    method: `${roles}/CreateAuthorization`,
    body: ({ assignee, location }) => ({ ...assignee, ...location, roleKeys: both }),
  },
  "add a role": {
    before: "active",
    gives: true,
    method: `${roles}/UpdateAuthorization`,
    body: ({ id }) => ({ id, roleKeys: both }),
  },
  "add a role to an inactive one": {
    before: "inactive",
    gives: true,
    method: `${roles}/UpdateAuthorization`,
    body: ({ id }) => ({ id, roleKeys: both }),
  },
  "replace a role": {
    before: "active",
    gives: true,
    method: `${roles}/UpdateAuthorization`,
    body: ({ id }) => ({ id, roleKeys: ["admin"] }),
  },
  activate: { before: "inactive", gives: true, method: `${roles}/ActivateAuthorization`, body: ({ id }) => ({ id }) },
  "activate an active one": {
    before: "active",
    gives: false,
    method: `${roles}/ActivateAuthorization`,
    body: ({ id }) => ({ id }),
  },
  "take a role away": {
    before: "active",
    roleKeys: both,
    gives: false,
    method: `${roles}/UpdateAuthorization`,
    body: ({ id }) => ({ id, roleKeys: ["reader"] }),
  },
  deactivate: {
    before: "active",
    gives: false,
    method: `${roles}/DeactivateAuthorization`,
    body: ({ id }) => ({ id }),
  },
  delete: { before: "active", gives: false, method: `${roles}/DeleteAuthorization`, body: ({ id }) => ({ id }) },
};

/** Writes of the first generation, which knows users alone. */
const olderWrites: Readonly<Record<string, (user: string) => Write>> = {
  "add a role (v1)": (userId) => ({
    before: "active",
    gives: true,
    method: `${management}/UpdateUserGrant`,
    body: ({ id }) => ({ userId, grantId: id, roleKeys: both }),
  }),
  "activate (v1)": (userId) => ({
    before: "inactive",
    gives: true,
    method: `${management}/ReactivateUserGrant`,
    body: ({ id }) => ({ userId, grantId: id }),
  }),
  "take a role away (v1)": (userId) => ({
    before: "active",
    roleKeys: both,
    gives: false,
    method: `${management}/UpdateUserGrant`,
    body: ({ id }) => ({ userId, grantId: id, roleKeys: ["reader"] }),
  }),
  "deactivate (v1)": (userId) => ({
    before: "active",
    gives: false,
    method: `${management}/DeactivateUserGrant`,
    body: ({ id }) => ({ userId, grantId: id }),
  }),
};

eachServer((start) => {
  test("every write that gives roles over a grant asks whom the appointee may know; taking roles away does not", async (t) => {
    const server = await start(t);
    const ownerOf = async (name: string) => {
      const organizationId = await addOrganization(server, name);
      const owner = await makeServiceAccount(server, organizationId, `owner-of-${name}`);
      await appoint(server, owner, { organizationId }, ["ORG_OWNER"]);
      return { organizationId, ...owner };
    };
    const [bank, evil] = [await ownerOf("Bank"), await ownerOf("Evil")];
    const { organizationId } = bank;
    const inBank = { headers: { "x-service-orgid": organizationId } };
    const ask = (method: string, body: object, token: string) => {
      const isOlder = method.startsWith(management);
      return server.connect(method, body, { token, ...(isOlder && inBank) });
    };
    const done = async (method: string, body: object, token: string) => {
      const answer = await ask(method, body, token);
      assert.equal(answer.status, 200, `${method}: ${JSON.stringify(answer.body)}`);
      return answer.body;
    };
    const project = { organizationId: evil.organizationId, name: "Portal" };
    const { projectId } = await done(`${projects}/CreateProject`, project, evil.token);
    for (const roleKey of both) {
      await done(`${projects}/AddProjectRole`, { projectId, roleKey, displayName: roleKey }, evil.token);
    }
    const lent = { projectId, grantedOrganizationId: organizationId, roleKeys: both };
    await done(`${projects}/CreateProjectGrant`, lent, evil.token);
    const position = { resource: { projectGrant: { projectId, organizationId } }, roles: ["PROJECT_GRANT_OWNER"] };
    const location = { projectId, organizationId };

    const helper = await makeServiceAccount(server, evil.organizationId, "helper");
    await done(`${positions}/CreateAdministrator`, { userId: helper.userId, ...position }, evil.token);
    const colleagueOf = async (by: typeof bank, username: string) => {
      const person = await addPerson(server, { username, organizationId });
      const { userId } = person;
      await done(`${positions}/CreateAdministrator`, { userId, ...position }, by.token);
      const { token } = await sessionOf(server, person);
      if (by === evil) await done(`${positions}/AcceptAppointment`, { userId, ...position }, token);
      return (await sessionOf(server, person)).token;
    };
    const callers = {
      "a helper of the lender": [helper.token, false],
      "a colleague whom the lender appointed": [await colleagueOf(evil, "lent"), false],
      "a colleague whom the organization appointed": [await colleagueOf(bank, "homes"), true],
      "the owner of the organization": [bank.token, true],
      "the owner of the instance": [server.ownerToken, true],
    } as const;

    let count = 0;
    const tryAll = async (assignee: { userId: string } | { groupId: string }, missing: string) => {
      const older = "userId" in assignee ? assignee.userId : undefined;
      const all = [
        ...Object.entries(writes),
        ...(older === undefined ? [] : Object.entries(olderWrites).map(([name, of]) => [name, of(older)] as const)),
      ];
      for (const [name, { before, roleKeys = ["reader"], gives, method, body }] of all) {
        for (const [caller, [token, isTrusted]] of Object.entries(callers)) {
          const made = { ...assignee, ...location, roleKeys };
          const isThere = before !== "none";
          let id = isThere ? (await done(`${roles}/CreateAuthorization`, made, bank.token)).id : "";
          if (before === "inactive") await done(`${roles}/DeactivateAuthorization`, { id }, bank.token);
          const answer = await ask(method, body({ id, assignee, location }), token);
          const expected = gives && !isTrusted ? missing : "done";
          assert.equal(slugOf(answer), expected, `${name} by ${caller}: ${JSON.stringify(answer.body)}`);
          if (!isThere) id = answer.body.id ?? "";
          if (id !== "" && name !== "delete") await done(`${roles}/DeleteAuthorization`, { id }, bank.token);
          count += 1;
        }
      }
    };
    const { userId } = await addPerson(server, { username: "vera", organizationId });
    await tryAll({ userId }, "authorization.user_not_found");
    const groups = "service.group.v2.GroupService";
    const group = await done(`${groups}/CreateGroup`, { organizationId, name: "All" }, bank.token);
    await tryAll({ groupId: group.id }, "authorization.group_not_found");
    assert.equal(count, 5 * (9 + 4 + 9));
  });
});
