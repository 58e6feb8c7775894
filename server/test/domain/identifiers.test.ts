import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { principalId } from "../../src/base/id.ts";
import { sql } from "../../src/database/index.ts";
import { testCall } from "../support/operations/call.ts";
import { addOrganization, addPerson, appoint, defaultOrganization, sessionOf } from "../support/people/people.ts";
import { eachServer, type Start } from "../support/servers/each-server.ts";
import type { RestAnswer, TestServer } from "../support/servers/server.ts";

const users = "service.user.v2.UserService";
const projects = "service.project.v2.ProjectService";
const applications = "service.application.v2.ApplicationService";
const groups = "service.group.v2.GroupService";
const organizations = "service.org.v2.OrganizationService";

const person = (name: string, given: object = {}) => ({
  username: name,
  human: {
    profile: { givenName: "Given", familyName: "Family" },
    email: { email: `${name}@mail.example`, isVerified: true },
  },
  ...given,
});

/** The result of a call: `ok`, or code, cause and field of the refusal. */
function outcomeOf({ status, body }: RestAnswer): string {
  if (status === 200) return "ok";
  const debug = body.details?.[0]?.debug;
  const field = body.details?.find((each: { debug?: { fieldViolations?: unknown } }) => each.debug?.fieldViolations);
  const named = field?.debug.fieldViolations[0]?.field;
  return [body.code, debug?.id, named].filter((part) => part !== undefined).join(" ");
}

/** Creates one of each kind with an id of the caller's choice, or with a generated one. */
function creators(server: TestServer, organizationId: string) {
  let count = 0;
  const call = (token: string | undefined) => (method: string, body: object) =>
    server.connect(method, body, token === undefined ? {} : { token });
  return {
    user: (id?: string, token?: string) =>
      call(token)(`${users}/CreateUser`, { organizationId, userId: id, ...person(`person${++count}`) }),
    v1User: (id?: string, token?: string) =>
      call(token)(`${users}/AddHumanUser`, {
        organization: { orgId: organizationId },
        userId: id,
        username: `person${++count}`,
        profile: { givenName: "Given", familyName: "Family" },
        email: { email: `person${count}@mail.example`, isVerified: true },
      }),
    machine: (id?: string, token?: string) =>
      call(token)(`${users}/CreateUser`, { organizationId, userId: id, machine: { name: `bot${++count}` } }),
    project: (id?: string, token?: string) =>
      call(token)(`${projects}/CreateProject`, { organizationId, projectId: id, name: `Project ${++count}` }),
    organization: (id?: string, token?: string) =>
      call(token)(`${organizations}/AddOrganization`, { organizationId: id, name: `Organization ${++count}` }),
    group: (id?: string, token?: string) =>
      call(token)(`${groups}/CreateGroup`, { organizationId, id, name: `Group ${++count}` }),
    application: async (id?: string, token?: string, projectId?: string) => {
      const name = `Project ${++count}`;
      const project =
        projectId ?? (await server.connect(`${projects}/CreateProject`, { organizationId, name })).body.projectId;
      const api = { authMethodType: "API_AUTH_METHOD_TYPE_BASIC" };
      const request = { projectId: project, applicationId: id, name: `App ${count}`, apiConfiguration: api };
      return call(token)(`${applications}/CreateApplication`, request);
    },
  };
}

async function setUp(start: Start, t: TestContext) {
  const server = await start(t);
  const organizationId = await defaultOrganization(server);
  const tenant = await addOrganization(server, "Tenant");
  const eve = await addPerson(server, { username: "eve", organizationId: tenant });
  await appoint(server, eve, { organizationId: tenant }, ["ORG_OWNER"]);
  const { token } = await sessionOf(server, eve);
  return { server, organizationId, tenant, token };
}

eachServer((start) => {
  test("an id is assigned only once, across all kinds and after deletion (A9)", async (t) => {
    const { server, organizationId } = await setUp(start, t);
    const create = creators(server, organizationId);
    const { instanceId = "" } = (await server.app.domain.findInstanceByHost("localhost")) ?? {};
    assert.equal(outcomeOf(await create.user("u-1")), "ok");
    assert.equal(outcomeOf(await create.machine("m-1")), "ok");
    assert.equal(outcomeOf(await create.organization("o-1")), "ok");
    assert.equal(outcomeOf(await create.project("p-1")), "ok");
    assert.equal(outcomeOf(await create.group("g-1")), "ok");
    const application = await create.application("a-1", undefined, "p-1");
    assert.equal(outcomeOf(application), "ok");
    const { clientId } = application.body.apiConfiguration;
    const given = ["u-1", "m-1", "o-1", "p-1", "a-1", "g-1", clientId, instanceId, organizationId];

    const refuseAll = async () => {
      for (const id of given) {
        for (const [kind, slug] of [
          ["user", "user"],
          ["v1User", "user"],
          ["machine", "user"],
          ["organization", "organization"],
          ["project", "project"],
          ["group", "group"],
          ["application", "application"],
        ] as const) {
          const answer = await create[kind](id);
          assert.match(outcomeOf(answer), new RegExp(`^already_exists ${slug}\\.id_taken`), `${kind} ${id}`);
        }
      }
    };
    await refuseAll();
    for (const [method, request] of [
      [`${applications}/DeleteApplication`, { projectId: "p-1", applicationId: "a-1" }],
      [`${projects}/DeleteProject`, { projectId: "p-1" }],
      [`${groups}/DeleteGroup`, { id: "g-1" }],
      [`${organizations}/DeleteOrganization`, { organizationId: "o-1" }],
      [`${users}/DeleteUser`, { userId: "u-1" }],
      [`${users}/DeleteUser`, { userId: "m-1" }],
    ] as const) {
      assert.equal(outcomeOf(await server.connect(method, request)), "ok", method);
    }
    await refuseAll();
    assert.equal(outcomeOf(await create.user()), "ok");
    assert.equal(outcomeOf(await create.user("u-2")), "ok");
  });

  test("only administrators of the instance choose ids (A9)", async (t) => {
    const { server, tenant, token } = await setUp(start, t);
    const create = creators(server, tenant);
    const { projectId } = (
      await server.connect(`${projects}/CreateProject`, { organizationId: tenant, name: "Own" }, { token })
    ).body;
    for (const kind of ["user", "v1User", "machine", "project", "group", "application"] as const) {
      const refused = await create[kind]("chosen", token, projectId);
      assert.match(outcomeOf(refused), /^permission_denied identifier\.choice_denied/, kind);
      assert.equal(outcomeOf(await create[kind](undefined, token, projectId)), "ok", kind);
      assert.equal(outcomeOf(await create[kind](`chosen-${kind.toLowerCase()}`)), "ok", kind);
    }
    assert.match(outcomeOf(await create.organization("chosen", token)), /^permission_denied/);
  });

  test("nothing gets the id of a principal that is not a user (A9)", async (t) => {
    const { server, organizationId } = await setUp(start, t);
    const create = creators(server, organizationId);
    for (const name of ["login", "operator", "system/ops"]) {
      const id = principalId(name);
      for (const kind of ["user", "v1User", "machine", "organization", "project", "group", "application"] as const) {
        assert.match(outcomeOf(await create[kind](id)), /^invalid_argument/, `${kind} ${id}`);
        assert.equal(outcomeOf(await create[kind](`${kind}.${name.replace("/", ".")}`)), "ok", kind);
        if (name.includes("/")) continue;
        assert.match(outcomeOf(await create[kind](name)), /^already_exists/, `${kind} ${name}, as it was before`);
      }
    }
  });

  test("of many concurrent creations with the same id exactly one succeeds, even while its former holder is being deleted (A9)", async (t) => {
    const { server, organizationId } = await setUp(start, t);
    const create = creators(server, organizationId);
    const kinds = ["user", "machine", "organization", "project", "application", "user", "project"] as const;
    const outcomes = (await Promise.all(kinds.map((kind) => create[kind]("raced")))).map(outcomeOf);
    assert.equal(outcomes.filter((each) => each === "ok").length, 1, outcomes.join("\n"));

    assert.equal(outcomeOf(await create.user("leaving")), "ok");
    const raced = await Promise.all([
      server.connect(`${users}/DeleteUser`, { userId: "leaving" }),
      ...[1, 2, 3].map(() => create.user("leaving")),
      ...[1, 2, 3].map(() => create.machine("leaving")),
    ]);
    const [deleted, ...created] = raced.map(outcomeOf);
    assert.equal(deleted, "ok");
    for (const each of created) assert.match(each, /^already_exists user\.id_taken/);
  });

  test("an id that an earlier version gave twice shows nothing of its former holder (A9)", async (t) => {
    const { server, organizationId } = await setUp(start, t);
    const { database, findInstanceByHost } = server.app.domain;
    const { instanceId = "" } = (await findInstanceByHost("localhost")) ?? {};
    await database.touch(testCall({ instanceId, now: 1000 }), async (tx) => {
      for (const [sequence, type] of ["user.created", "user.email.set", "user.deleted"].entries()) {
        await tx.run(sql`insert into events (instance_id, aggregate_type, aggregate_id, sequence, type, owner_id, payload,
            request_id, created_at)
          values (${instanceId}, 'user', 'twice', ${sequence + 1}, ${type}, ${organizationId}, '{}', 'r', ${tx.now})`);
      }
    });
    assert.equal(outcomeOf(await creators(server, organizationId).user("twice")), "ok");
    const list = async (query: object) => {
      const request = { userId: "twice", query };
      const { body } = await server.connect("service.management.v1.ManagementService/ListUserChanges", request);
      return body.result.map(({ sequence }: { sequence: string }) => Number(sequence));
    };
    assert.deepEqual(await list({ asc: true }), [4]);
    assert.deepEqual(await list({ asc: false }), [4]);
  });
});
