import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../src/database/index.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { testCall } from "../support/operations/call.ts";
import { addPerson } from "../support/people/people.ts";
import { startServer } from "../support/servers/server.ts";
import { addClient } from "../support/sign-in/sign-in-client.ts";
import { enter, isBack, visit } from "./support/sign-in.ts";

const series = sql`with recursive series(i) as (select 1 union all select i + 1 from series where i < 60)`;

eachEngine((_open, engine) => {
  test("a sign-in moves little of what its browser began, and nothing of the rest is left to the former secret", async (t) => {
    const server = await startServer(t, { engine });
    const ada = await addPerson(server, { username: "ada" });
    const client = await addClient(server);
    const { database, clock, findInstanceByHost } = server.app.domain;
    const { instanceId = "" } = (await findInstanceByHost("localhost")) ?? {};
    const call = testCall({ instanceId, now: clock() });
    const count = async (table: "auth_requests" | "sessions" | "sign_ins", browserHash: string): Promise<number> => {
      const waiting = {
        auth_requests: sql`answered_at is null`,
        sessions: sql`terminated_at is null`,
        sign_ins: sql`1 = 1`,
      };
      const from = { auth_requests: sql`auth_requests`, sessions: sql`sessions`, sign_ins: sql`sign_ins` };
      const row = await database.read.maybe<{ count: number }>(sql`select count(*) as "count" from ${from[table]}
        where instance_id = ${instanceId} and browser_hash = ${browserHash} and ${waiting[table]}`);
      return row?.count ?? assert.fail();
    };
    const hashOf = async (authRequestId: string): Promise<string> => {
      const row = await database.read.maybe<{ hash: string }>(sql`select browser_hash as "hash" from auth_requests
        where instance_id = ${instanceId} and auth_request_id = ${authRequestId}`);
      return row?.hash ?? assert.fail(`no request ${authRequestId}`);
    };

    const first = await visit(server, client);
    const { browser } = first;
    assert.ok(isBack(await enter(first, ada)));
    const oldest = await visit(server, client, { prompt: "login" }, browser);
    const former = await hashOf(oldest.authRequestId);
    await database.touch(call, async (tx) => {
      await tx.run(sql`insert into auth_requests (instance_id, auth_request_id, client_id, application_id, browser_hash, parameters,
          created_at, expires_at)
        ${series} select a.instance_id, a.auth_request_id || '-' || cast(i as text), a.client_id, a.application_id, a.browser_hash,
          a.parameters, a.created_at + i, a.expires_at from series, auth_requests a
        where a.instance_id = ${instanceId} and a.auth_request_id = ${oldest.authRequestId}`);
      await tx.run(sql`insert into sign_ins (instance_id, browser_hash, auth_request_id, state, login_name, factors, expires_at)
        ${series} select ${instanceId}, ${former}, ${`${oldest.authRequestId}-`} || cast(i as text), 'unnamed', '', '{}', ${clock() + 60_000}
        from series where ${instanceId} <> ''`);
    });
    server.clock.now += 1000;
    const newest = await visit(server, client, { prompt: "login" }, browser);
    assert.equal(await count("auth_requests", former), 50);
    assert.match((await browser.open(oldest.page.address)).title, /This sign-in has expired/);

    // More sessions than a browser has.
    await database.touch(call, (tx) =>
      tx.run(sql`insert into sessions (instance_id, session_id, user_id, organization_id, creator_id, browser_hash,
          user_checked_at, password_checked_at, factors, prepared_by, metadata, user_agent, expires_at, sequence, created_at, changed_at)
        ${series} select s.instance_id, 'made-' || cast(i as text), s.user_id, s.organization_id, s.creator_id, s.browser_hash,
          s.user_checked_at, s.password_checked_at, s.factors, s.prepared_by, s.metadata, s.user_agent, s.expires_at, s.sequence,
          s.created_at, s.changed_at
        from series, sessions s where s.instance_id = ${instanceId} and s.browser_hash = ${former}`),
    );
    assert.ok((await count("sessions", former)) > 60);
    const attacker = browser.copy();
    assert.ok(isBack(await enter(newest, ada)));
    const present = await hashOf(newest.authRequestId);
    assert.notEqual(present, former);
    for (const table of ["auth_requests", "sessions", "sign_ins"] as const) {
      assert.equal(await count(table, former), 0, `${table} of the former secret`);
      assert.ok((await count(table, present)) <= 51, `${table} of the present one`);
    }
    assert.match((await attacker.open(oldest.page.address)).title, /expired/);
  });

  test("a request that the user declined leaves no sign-in behind", async (t) => {
    const server = await startServer(t, { engine });
    const { loginName } = await addPerson(server, { username: "ada" });
    const client = await addClient(server);
    const { browser } = await visit(server, client);
    const kept = async (): Promise<number> => {
      const rows = await server.app.domain.database.read.all(sql`select 1 as "one" from sign_ins
        where instance_id <> ${""} and login_name <> ${""}`);
      return rows.length;
    };
    for (let index = 0; index < 3; index++) {
      const { page } = await visit(server, client, {}, browser);
      const asked = await browser.submit(page, { login_name: loginName }, { action: "/ui/login" });
      assert.equal(await kept(), 1);
      const declined = await browser.submit(asked, {}, { action: "/ui/login/return" });
      assert.match(declined.address, /error=access_denied/);
      assert.equal(await kept(), 0);
    }
  });
});
