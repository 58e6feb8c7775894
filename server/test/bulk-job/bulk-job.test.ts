import assert from "node:assert/strict";
import { test } from "node:test";
import { days } from "../../src/base/clock.ts";
import { sql } from "../../src/database/index.ts";
import { expire } from "../../src/jobs/expire.ts";
import { addOwnedOrganization, addServiceAccount } from "../support/people/owners.ts";
import { addPerson, appoint, sessionOf } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";
import {
  addPeople,
  createJob,
  holdBack,
  idsOf,
  type ListedJob,
  listResults,
  outcomesOf,
  readJob,
  runJob,
  statesOf,
  work,
} from "./support.ts";

const pick = ({ state, total, succeeded, failed, left }: ListedJob) => ({
  state: state.replace("JOB_STATE_", "").toLowerCase(),
  total,
  succeeded,
  failed,
  left,
});

const refusalOf = async (server: TestServer, body: object, token: string): Promise<string> => {
  const { status, body: answer } = await server.rest("POST", "/v2/jobs", { body, token });
  return `${status} ${answer.details?.[0]?.id ?? ""}`;
};

eachServer((start) => {
  test("each row is the operation for one user, with its result", async (t) => {
    const server = await start(t);
    const { organizationId, token } = await addOwnedOrganization(server, "Acme");
    const people = await addPeople(server, organizationId, 3);
    const [first, ...others] = people;
    assert.ok(first);
    await server.connect("service.user.v2.UserService/DeactivateUser", { userId: first.userId });
    const job = await runJob(server, { organizationId, userIds: idsOf(people), deactivate: {} }, token);
    assert.deepEqual(pick(job), { state: "completed", total: 3, succeeded: 2, failed: 1, left: 0 });
    assert.deepEqual(await outcomesOf(server, job), ["user.not_deactivatable", "succeeded", "succeeded"]);
    assert.deepEqual(await statesOf(server, people), ["inactive", "inactive", "inactive"]);
    const failed = await listResults(server, job, { outcome: "JOB_OUTCOME_FAILED", token });
    assert.deepEqual(
      failed.map(({ userId }) => userId),
      [first.userId],
    );
    assert.match(failed[0]?.error?.message ?? "", /\w/);
    const page = await listResults(server, job, { pagination: { offset: 1, limit: 1, asc: true } });
    assert.deepEqual(
      page.map(({ userId }) => userId),
      [others[0]?.userId],
    );
  });

  test("every action does what its method does", async (t) => {
    const server = await start(t);
    const { organizationId, token } = await addOwnedOrganization(server, "Acme");
    const people = await addPeople(server, organizationId, 2);
    const of = { organizationId, userIds: idsOf(people) };
    const states = async (action: object): Promise<string[]> => {
      const job = await runJob(server, { ...of, ...action }, token);
      assert.deepEqual(await outcomesOf(server, job), ["succeeded", "succeeded"], JSON.stringify(action));
      return statesOf(server, people);
    };
    assert.deepEqual(await states({ lock: {} }), ["locked", "locked"]);
    assert.deepEqual(await states({ unlock: {} }), ["active", "active"]);
    assert.deepEqual(await states({ deactivate: {} }), ["inactive", "inactive"]);
    assert.deepEqual(await states({ reactivate: {} }), ["active", "active"]);

    const value = Buffer.from("red").toString("base64");
    await states({ setMetadata: { metadata: [{ key: "team", value }] } });
    const { body: read } = await server.connect("service.user.v2.UserService/ListUserMetadata", {
      userId: people[0]?.userId,
    });
    assert.deepEqual(
      read.metadata.map((entry: { key: string; value: string }) => [entry.key, entry.value]),
      [["team", value]],
    );

    const call = async (method: string, body: object) => {
      const answer = await server.connect(`service.${method}`, body, { token });
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      return answer.body;
    };
    const project = await call("project.v2.ProjectService/CreateProject", { organizationId, name: "Shop" });
    const projectId = project.projectId ?? project.id;
    for (const roleKey of ["reader", "writer"]) {
      await call("project.v2.ProjectService/AddProjectRole", { projectId, roleKey, displayName: roleKey });
    }
    const roles = async (): Promise<string[][]> => {
      const { authorizations = [] } = await call("authorization.v2.AuthorizationService/ListAuthorizations", {
        filters: [{ projectId: { id: projectId } }],
      });
      return authorizations.map((each: { roles: { key: string }[] }) => each.roles.map(({ key }) => key).sort());
    };
    await states({ addRoles: { projectId, roleKeys: ["reader"] } });
    assert.deepEqual(await roles(), [["reader"], ["reader"]]);
    await states({ addRoles: { projectId, roleKeys: ["reader", "writer"] } });
    assert.deepEqual(await roles(), [
      ["reader", "writer"],
      ["reader", "writer"],
    ]);
    await states({ removeRoles: { projectId, roleKeys: ["reader"] } });
    assert.deepEqual(await roles(), [["writer"], ["writer"]]);
    await states({ removeRoles: { projectId, roleKeys: ["writer"] } });
    assert.deepEqual(await roles(), []);
    assert.deepEqual(await states({ delete: {} }), ["gone", "gone"]);
  });

  test("a dry run tries each row and changes nothing", async (t) => {
    const server = await start(t);
    const { organizationId, token } = await addOwnedOrganization(server, "Acme");
    const people = await addPeople(server, organizationId, 2);
    await server.connect("service.user.v2.UserService/LockUser", { userId: people[0]?.userId });
    const read = server.app.domain.database.read;
    const events = () => read.all(sql`select * from events where type like 'user.%' and instance_id <> ''`);
    const before = await events();
    for (const action of ["lock", "delete"]) {
      const job = await runJob(server, { organizationId, userIds: idsOf(people), [action]: {}, dryRun: true }, token);
      assert.equal(job.dryRun, true);
      const expected = action === "lock" ? ["user.not_lockable", "succeeded"] : ["succeeded", "succeeded"];
      assert.deepEqual(await outcomesOf(server, job), expected);
    }
    assert.deepEqual(await statesOf(server, people), ["locked", "active"]);
    assert.equal((await events()).length, before.length);
  });

  test("a job is about the users of its organization alone, and shown to those who may read them", async (t) => {
    const server = await start(t);
    const acme = await addOwnedOrganization(server, "Acme");
    const other = await addOwnedOrganization(server, "Other");
    const [own] = await addPeople(server, acme.organizationId, 1, "own");
    const [foreign] = await addPeople(server, other.organizationId, 1, "foreign");
    assert.ok(own && foreign);
    const { organizationId } = acme;
    const body = { organizationId, userIds: idsOf([foreign, own]), lock: {} };
    const job = await runJob(server, body, acme.token);
    assert.deepEqual(await outcomesOf(server, job), ["user.not_found", "succeeded"]);
    assert.deepEqual(await statesOf(server, [foreign, own]), ["active", "locked"]);
    // An owner of the instance could do it, and still does not in a job of this organization.
    const { userId } = await addPerson(server, { username: "instance-owner" });
    await appoint(server, { userId }, { instance: true }, ["IAM_OWNER"]);
    const names = (await listResults(server, job, { token: acme.token })).map((each) => each.preferredLoginName);
    assert.deepEqual(
      names.map((name) => name !== ""),
      [false, true],
    );

    const ids = async (token: string): Promise<string[]> => {
      const answer = await server.rest("POST", "/v2/jobs/search", { body: {}, token });
      assert.equal(answer.status, 200);
      return (answer.body.jobs ?? []).map(({ id }: ListedJob) => id);
    };
    assert.deepEqual(await ids(acme.token), [job.id]);
    assert.deepEqual(await ids(other.token), []);
    for (const [method, path] of [
      ["GET", ""],
      ["POST", "/results/search"],
      ["POST", "/cancel"],
    ] as const) {
      const options = { token: other.token, ...(method === "POST" && { body: {} }) };
      const refused = await server.rest(method, `/v2/jobs/${job.id}${path}`, options);
      assert.deepEqual([refused.status, refused.body.details?.[0]?.id], [404, "job.not_found"], path);
    }
    assert.equal(await refusalOf(server, { ...body, organizationId }, other.token), "403 permission.missing");
    assert.equal(await refusalOf(server, { ...body, organizationId: "" }, acme.token), "403 permission.missing");
    const without = await addServiceAccount(server, organizationId, "without-role");
    assert.equal(await refusalOf(server, body, without.token), "403 permission.missing");
  });

  test("a filter selects the users that its creator may read, without the creator", async (t) => {
    const server = await start(t);
    const acme = await addOwnedOrganization(server, "Acme");
    const other = await addOwnedOrganization(server, "Other");
    const own = await addPeople(server, acme.organizationId, 2, "match");
    const foreign = await addPeople(server, other.organizationId, 1, "match");
    const query = { userNameQuery: { userName: "match", method: "TEXT_QUERY_METHOD_STARTS_WITH" } };
    const { organizationId, token } = acme;
    const job = await runJob(server, { organizationId, filter: { queries: [query] }, lock: {} }, token);
    assert.deepEqual(pick(job), { state: "completed", total: 2, succeeded: 2, failed: 0, left: 0 });
    assert.deepEqual(await statesOf(server, [...own, ...foreign]), ["locked", "locked", "active"]);
    const all = await runJob(server, { organizationId, filter: {}, deactivate: {} }, token);
    assert.equal(all.total, 2);
    const none = { userNameQuery: { userName: "absent", method: "TEXT_QUERY_METHOD_EQUALS" } };
    assert.equal(
      await refusalOf(server, { organizationId, filter: { queries: [none] }, lock: {} }, token),
      "400 job.no_users",
    );
    assert.equal(await refusalOf(server, { organizationId, lock: {} }, token), "400 job.users_missing");
    assert.equal(await refusalOf(server, { organizationId, filter: {} }, token), "400 job.action_missing");
  });

  test("rights are read again for each row, and what ends them ends the job", async (t) => {
    const server = await start(t);
    const acme = await addOwnedOrganization(server, "Acme");
    const { organizationId } = acme;
    const people = await addPeople(server, organizationId, 3);
    const ends: Readonly<Record<string, (creator: { userId: string; sessionId: string }) => Promise<unknown>>> = {
      "job.permission_withdrawn": ({ userId }) =>
        server.connect("service.internal_permission.v2.InternalPermissionService/DeleteAdministrator", {
          userId,
          resource: { organizationId },
        }),
      "job.creator_gone": ({ userId }) => server.connect("service.user.v2.UserService/LockUser", { userId }),
      "job.creator_gone ": ({ sessionId }) => server.rest("DELETE", `/v2/sessions/${sessionId}`, { body: {} }),
    };
    for (const [index, [reason, end]] of Object.entries(ends).entries()) {
      const creator = await addPerson(server, { username: `creator-${index}`, organizationId });
      await appoint(server, creator, { organizationId }, ["ORG_OWNER"]);
      const { token, sessionId } = await sessionOf(server, creator);
      // Holds the next one back until the rights have ended.
      const hold = await holdBack(server, organizationId);
      const job = await createJob(server, { organizationId, userIds: idsOf(people), lock: {} }, token);
      await end({ ...creator, sessionId });
      await hold.end();
      await work(server);
      const stopped = await readJob(server, job);
      assert.deepEqual(pick(stopped), { state: "stopped", total: 3, succeeded: 0, failed: 0, left: 3 }, reason);
      assert.equal(stopped.stopReason?.id, reason.trim());
      assert.match(stopped.stopReason?.message ?? "", /^The user who created the job/);
    }
    assert.deepEqual(await statesOf(server, people), ["active", "active", "active"]);
    // With the rights, the same job is done.
    const done = await runJob(server, { organizationId, userIds: idsOf(people), lock: {} }, acme.token);
    assert.equal(done.succeeded, 3);
  });

  test("a job ends with the token by which it was created", async (t) => {
    const server = await start(t);
    const { organizationId } = await addOwnedOrganization(server, "Acme");
    const people = await addPeople(server, organizationId, 2);
    const creator = await addServiceAccount(server, organizationId, "creator");
    await appoint(server, creator, { organizationId }, ["ORG_OWNER"]);
    const found = await server.connect("service.user.v2.UserService/ListPersonalAccessTokens", {
      filters: [{ userIdFilter: { id: creator.userId } }],
    });
    const tokenId = found.body.result?.[0]?.id ?? assert.fail(JSON.stringify(found.body));
    const other = await server.connect("service.user.v2.UserService/AddPersonalAccessToken", {
      userId: creator.userId,
      expirationDate: "2100-01-01T00:00:00Z",
    });
    const hold = await holdBack(server, organizationId);
    const job = await createJob(server, { organizationId, userIds: idsOf(people), lock: {} }, creator.token);
    const removed = await server.connect("service.user.v2.UserService/RemovePersonalAccessToken", {
      userId: creator.userId,
      tokenId,
    });
    assert.equal(removed.status, 200, JSON.stringify(removed.body));
    await hold.end();
    await work(server);
    const stopped = await readJob(server, job);
    assert.deepEqual(
      [stopped.state, stopped.stopReason?.id, stopped.left],
      ["JOB_STATE_STOPPED", "job.creator_gone", 2],
    );
    const done = await runJob(server, { organizationId, userIds: idsOf(people), lock: {} }, other.body.token);
    assert.equal(done.succeeded, 2, "another token of the account is as good as before");
  });

  test("a job of an organization waits for another one, and is canceled without a trace on users", async (t) => {
    const server = await start(t);
    const { organizationId, token } = await addOwnedOrganization(server, "Acme");
    const people = await addPeople(server, organizationId, 2);
    const hold = await holdBack(server, organizationId);
    const job = await createJob(server, { organizationId, userIds: idsOf(people), lock: {} }, token);
    await work(server);
    assert.deepEqual(pick(await readJob(server, job)), { state: "queued", total: 2, succeeded: 0, failed: 0, left: 2 });
    const canceled = await server.rest("POST", `/v2/jobs/${job.id}/cancel`, { body: {}, token });
    assert.equal(canceled.status, 200, JSON.stringify(canceled.body));
    assert.equal(canceled.body.job.state, "JOB_STATE_CANCELED");
    await hold.end();
    await work(server);
    assert.deepEqual(await statesOf(server, people), ["active", "active"]);
    const states = async (state: string): Promise<string[]> => {
      const body = { filters: [{ stateFilter: { state } }, { organizationIdFilter: { id: organizationId } }] };
      const { body: answer } = await server.rest("POST", "/v2/jobs/search", { body, token });
      return (answer.jobs ?? []).map(({ id }: ListedJob) => id);
    };
    assert.deepEqual(await states("JOB_STATE_CANCELED"), [job.id]);
    assert.deepEqual(await states("JOB_STATE_RUNNING"), []);
  });

  test("jobs that have not ended are limited, and each has at most 10,000 users", async (t) => {
    const server = await start(t);
    const { organizationId, token } = await addOwnedOrganization(server, "Acme");
    const people = await addPeople(server, organizationId, 1);
    const body = { organizationId, userIds: idsOf(people), lock: {} };
    const many = Array.from({ length: 10_001 }, (_each, index) => `${index}`);
    assert.match(await refusalOf(server, { ...body, userIds: { userIds: many } }, token), /^400 field/);
    await holdBack(server, organizationId);
    for (let count = 0; count < 9; count++) await createJob(server, body, token);
    assert.equal(await refusalOf(server, body, token), "429 job.too_many_unfinished");
    // Of another organization.
    const other = await addOwnedOrganization(server, "Other");
    const others = await addPeople(server, other.organizationId, 1, "other");
    const job = await runJob(
      server,
      { organizationId: other.organizationId, userIds: idsOf(others), lock: {} },
      other.token,
    );
    assert.equal(job.succeeded, 1);
  });

  test("jobs are removed 30 days after their creation, and with their organization", async (t) => {
    const server = await start(t);
    const { database } = server.app.domain;
    const { organizationId, token } = await addOwnedOrganization(server, "Acme");
    const people = await addPeople(server, organizationId, 1);
    const other = await addOwnedOrganization(server, "Other");
    const others = await addPeople(server, other.organizationId, 1, "other");
    await runJob(server, { organizationId, userIds: idsOf(people), lock: {} }, token);
    await runJob(server, { organizationId: other.organizationId, userIds: idsOf(others), lock: {} }, other.token);
    const counts = async (): Promise<number[]> => [
      (await database.read.all(sql`select 1 from bulk_jobs where instance_id <> ''`)).length,
      (await database.read.all(sql`select 1 from bulk_job_rows where instance_id <> ''`)).length,
    ];
    assert.deepEqual(await counts(), [2, 2]);
    const deleted = await server.connect("service.org.v2.OrganizationService/DeleteOrganization", {
      organizationId: other.organizationId,
    });
    assert.equal(deleted.status, 200, JSON.stringify(deleted.body));
    assert.deepEqual(await counts(), [1, 1]);
    const run = (now: number) => expire({ database }).run({ now, signal: new AbortController().signal });
    await run(server.clock.now + days(29));
    assert.deepEqual(await counts(), [1, 1]);
    await run(server.clock.now + days(31));
    assert.deepEqual(await counts(), [0, 0]);
  });
});
