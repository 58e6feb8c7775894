import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../oauth/support/back-channel.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { createSecondInstance, secondHost } from "../support/people/system-user.ts";
import { slug, startQuotaServer } from "./support/quota.ts";

interface Listed {
  readonly type: string;
  readonly reachedDate?: string;
}

eachEngine((_open, engine) => {
  test("an instance reaches each milestone once, when it first happens", async (t) => {
    const { server, token } = await startQuotaServer(t, engine);
    const { instanceId, pat } = await createSecondInstance(server, token());
    const there = (method: string, path: string, body: object = {}, as = pat) =>
      server.byHost(secondHost, method, path, { token: as, body });
    const list = async (body: object = {}): Promise<Listed[]> => {
      const answer = await there("POST", "/admin/v1/milestones/_search", body);
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      assert.equal(answer.body.details.totalResult, (answer.body.result ?? []).length);
      return answer.body.result ?? [];
    };
    const reached = async () =>
      (await list({ query: { asc: true }, queries: [{ isReachedQuery: { reached: true } }] })).map(
        ({ type, reachedDate = "" }) => [type.replace("MILESTONE_TYPE_", ""), Date.parse(reachedDate)],
      );
    const begun = server.clock.now;
    assert.deepEqual(await reached(), [["INSTANCE_CREATED", begun]]);
    assert.equal((await list()).length, 6, "those that are not reached are listed too");

    server.clock.now += 1000;
    for (const name of ["One", "Two"]) {
      const created = await there("POST", "/management/v1/projects", { name });
      assert.equal(created.status, 200, JSON.stringify(created.body));
      server.clock.now += 1000;
      const app = await there("POST", `/management/v1/projects/${created.body.id}/apps/api`, { name: "Api" });
      assert.equal(app.status, 200, JSON.stringify(app.body));
      server.clock.now += 1000;
    }
    const made = [
      ["INSTANCE_CREATED", begun],
      ["PROJECT_CREATED", begun + 1000],
      ["APPLICATION_CREATED", begun + 2000],
    ];
    assert.deepEqual(await reached(), made);
    assert.deepEqual(
      (await list({ sortingColumn: "MILESTONE_FIELD_NAME_REACHED_DATE", query: { limit: 10 } }))
        .filter(({ reachedDate }) => reachedDate)
        .map(({ type }) => type.replace("MILESTONE_TYPE_", "")),
      made.map(([type]) => type).toReversed(),
    );
    const others = await list({ queries: [{ isReachedQuery: { reached: false } }], query: { asc: true } });
    assert.deepEqual(
      others.map(({ type }) => type.replace("MILESTONE_TYPE_", "")),
      ["AUTHENTICATION_SUCCEEDED_ON_INSTANCE", "AUTHENTICATION_SUCCEEDED_ON_APPLICATION", "INSTANCE_DELETED"],
    );
    const page = await there("POST", "/admin/v1/milestones/_search", { query: { asc: true, limit: 2, offset: "1" } });
    assert.deepEqual([page.body.result.length, page.body.details.totalResult], [2, 6]);
    assert.equal(slug(await there("POST", "/admin/v1/milestones/_search", { queries: [{}] })), "filter.invalid");

    const { events } = (await there("POST", "/admin/v1/events/_search", { aggregateTypes: ["milestone"] })).body;
    assert.deepEqual(
      events.map(({ payload }: { payload: { type: string } }) => payload.type).sort(),
      ["application_created", "instance_created", "project_created"],
      "once each",
    );
    const removed = await server.rest("DELETE", `/system/v1/instances/${instanceId}`, { token: token() });
    assert.equal(removed.status, 200);
  });

  test("the first sign-ins are noted, those of the instance's own project are no sign-ins to an application", async (t) => {
    const { server } = await startQuotaServer(t, engine);
    const types = async (): Promise<string[]> => {
      const answer = await server.rest("POST", "/admin/v1/milestones/_search", {
        body: { queries: [{ isReachedQuery: { reached: true } }] },
      });
      return (answer.body.result ?? []).map(({ type }: Listed) => type.replace("MILESTONE_TYPE_AUTHENTICATION_", ""));
    };
    const { organizationId } = server;
    const robot = await server.rest("POST", "/v2/users/new", {
      body: { organizationId, username: "robot", machine: { name: "robot" } },
    });
    const secret = await server.rest("PUT", `/management/v1/users/${robot.body.id}/secret`, { body: {} });
    const { clientId, clientSecret } = secret.body;
    const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`;
    const before = await types();
    assert.ok(!before.some((type) => type.startsWith("SUCCEEDED")), before.join());
    const given = await server.form(
      "/oauth/v2/token",
      { grant_type: "client_credentials", scope: "openid" },
      { authorization },
    );
    assert.equal(given.status, 200, JSON.stringify(given.body));
    await eventually(async () => (await types()).includes("SUCCEEDED_ON_INSTANCE"), "a service account signed in");
    assert.ok(!(await types()).includes("SUCCEEDED_ON_APPLICATION"));
    server.clock.now += 1000;
    await server.tokens();
    await eventually(async () => (await types()).includes("SUCCEEDED_ON_APPLICATION"), "a user signed in");
    await Promise.all([server.tokens(), server.tokens()]);
    const { events } = (
      await server.rest("POST", "/admin/v1/events/_search", { body: { aggregateTypes: ["milestone"] } })
    ).body;
    const noted = events.map(({ payload }: { payload: { type: string } }) => payload.type);
    assert.equal(new Set(noted).size, noted.length, "once each");
  });
});
