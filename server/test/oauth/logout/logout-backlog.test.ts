import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { type TestContext, test } from "node:test";
import { type Database, type Sql, sql } from "../../../src/database/index.ts";
import { costOf, type PlanNode } from "../../database/day-one/plan-cost.ts";
import { addProject } from "../../saml/support.ts";
import { type Engine, eachEngine } from "../../support/databases/databases.ts";
import { noteStatements } from "../../support/databases/noted-statements.ts";
import { startNameServer } from "../../support/http/name-server.ts";
import { startReceiver } from "../../support/http/receiver.ts";
import { type OidcServer, startOidcServer } from "../../support/oidc/oidc.ts";
import { registered, setRegistration } from "../../support/oidc/registration.ts";
import { testCall } from "../../support/operations/call.ts";
import { addOrganization } from "../../support/people/people.ts";
import { eventually } from "../support/back-channel.ts";
import { endSessionsOf } from "../support/waiting-notices.ts";

/** Clients of one organization, which all name this address. */
async function clientsOf(server: OidcServer, projectId: string, count: number, url: string): Promise<string[]> {
  const made: string[] = [];
  for (let index = 0; index < count; index++) {
    made.push((await server.createClient({ backChannelLogoutUri: url }, projectId)).clientId);
  }
  return made;
}

/** A receiver that never answers but at `/bank`, and the organization whose notices wait for it. */
async function startSilence(t: TestContext, engine: Engine) {
  const server = await startOidcServer(t, { engine });
  const receiver = await startReceiver(t);
  const held: ServerResponse[] = [];
  receiver.answer = ({ path }, response) => {
    if (path === "/bank") response.end();
    else held.push(response);
  };
  const projectId = await addProject(server, { organizationId: await addOrganization(server, "Evil") });
  const count = (path: string): number => receiver.received.filter((each) => each.path === path).length;
  const answer = (): void => {
    receiver.answer = (_, response) => void response.end();
    for (const response of held) response.end();
  };
  return { server, receiver, projectId, count, answer };
}

/** The most that a statement takes: rows that a step reads (PostgreSQL), otherwise milliseconds at best. */
async function costsOf({ engine, read }: Database, statements: readonly Sql[]): Promise<number> {
  let most = 0;
  for (const statement of statements) {
    if (engine === "postgres") {
      const [row] = await read.all<{ "QUERY PLAN": [{ Plan: PlanNode }] }>(
        sql`explain (analyze, buffers, format json) ${statement}`,
      );
      most = Math.max(most, costOf(row?.["QUERY PLAN"][0].Plan ?? assert.fail("no plan")).rows);
      continue;
    }
    const times: number[] = [];
    for (let count = 0; count < 10; count++) {
      const started = performance.now();
      await read.all(statement);
      times.push(performance.now() - started);
    }
    most = Math.max(most, Math.min(...times));
  }
  return most;
}

eachEngine((_open, engine) => {
  test("a look for the next notice reads few rows, however many of one organization are due", async (t) => {
    const { server, receiver, projectId, count, answer } = await startSilence(t, engine);
    const { database } = server.app.domain;
    const evil = await clientsOf(server, projectId, 50, `${receiver.origin}/evil`);
    const bank = await server.createClient({ backChannelLogoutUri: `${receiver.origin}/bank` });
    await endSessionsOf(server, { clientIds: evil, sessions: 100 });
    server.clock.now += 1000;
    await endSessionsOf(server, { clientIds: [bank.clientId] });
    const looks: Sql[] = [];
    let isNoting = true;
    noteStatements(database, (statement) => {
      const text = statement.shape.sqlite;
      if (isNoting && /^with\b.*\blogout_notices\b/s.test(text) && !text.includes("offset")) looks.push(statement);
    });
    server.clock.now += 60_000;
    const run = server.app.jobs.tick();
    await eventually(() => count("/evil") === 6 && count("/bank") === 1, "every lane of the organization is taken");
    isNoting = false;
    if (engine === "postgres") {
      assert.ok((await costsOf(database, looks)) < 50, "planned without statistics");
      await database.touch(testCall(), (tx) => tx.run(sql`analyze logout_notices`));
    }
    assert.ok(looks.length > 6, `${looks.length} looks`);
    const most = await costsOf(database, looks);
    t.diagnostic(`${looks.length} looks, at most ${most}`);
    assert.ok(most < (engine === "postgres" ? 50 : 0.5), `${most}`);
    assert.equal(count("/evil"), 6);
    await database.touch({ instanceId: "", requestId: "", now: 0, language: "en" }, async (tx) => {
      await tx.run(sql`delete from logout_notices where (instance_id || '') <> ${tx.instanceId}`);
    });
    answer();
    await run;
  });

  test("silent clients of strangers leave lanes to the applications of the organization", async (t) => {
    const names = await startNameServer(t, (name) => (name.includes("silent") ? "silence" : "127.0.0.1"));
    const server = await startOidcServer(t, { engine, config: { dnsServers: [names.address] } });
    const { read } = server.app.domain.database;
    await setRegistration(server, "open");
    const receiver = await startReceiver(t);
    let failed = Number.NaN;
    let running: readonly { readonly clientId: string }[] = [];
    const look = async (): Promise<void> => {
      running = await read.all(sql`select client_id as "clientId" from logout_notices where attempts > 0 order by 1`);
      const row = await read.maybe<{ n: number }>(sql`select count(failure) as "n" from logout_notices`);
      failed = row?.n ?? Number.NaN;
    };
    receiver.answer = (_, response) => {
      response.end();
      void look();
    };
    const strangers: string[] = [];
    for (let index = 0; index < 4; index++) {
      const made = await registered(
        server,
        {
          redirect_uris: ["https://shop.example/callback"],
          token_endpoint_auth_method: "none",
          backchannel_logout_uri: "https://silent.example/out",
        },
        null,
      );
      strangers.push(made.client_id);
    }
    const own = await server.createClient({ backChannelLogoutUri: `${receiver.origin}/own` });
    await endSessionsOf(server, { clientIds: strangers, sessions: 5 });
    server.clock.now += 1000;
    await endSessionsOf(server, { clientIds: [own.clientId] });
    server.clock.now += 60_000;
    const run = server.app.jobs.tick();
    await eventually(() => !Number.isNaN(failed), "the organization's own application is told");
    assert.equal(failed, 0, "no notice to a stranger had to fail before");
    const busy = running.map(({ clientId }) => clientId).filter((clientId) => clientId !== own.clientId);
    assert.ok(busy.length <= 3 && new Set(busy).size === busy.length, `one lane each: ${busy.length}`);
    await server.app.domain.database.touch({ instanceId: "", requestId: "", now: 0, language: "en" }, async (tx) => {
      await tx.run(sql`delete from logout_notices where (instance_id || '') <> ${tx.instanceId}`);
    });
    await run;
    assert.ok(
      names.asked.some((name) => name.includes("silent")),
      "strangers' clients had their turn as well",
    );
    server.errorLog.splice(0);
  });
});
