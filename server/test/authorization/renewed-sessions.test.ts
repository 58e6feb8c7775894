import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../src/database/index.ts";
import { ownerOf } from "../account/support/account.ts";
import { keysAt } from "../factor/key-support.ts";
import { callUser } from "../factor/support.ts";
import { addStaff } from "../identity-provider/trusted.ts";
import { ask } from "../login/support/second-factors.ts";
import { enter, isBack, signedIn, visit } from "../login/support/sign-in.ts";
import { appoint, goodPassword, sessionOf } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";
import { createAuthenticator } from "../support/sign-in/authenticator.ts";
import { addClient } from "../support/sign-in/sign-in-client.ts";
import { chooseByCode, make, ownPassword, touch } from "./support/prepared.ts";

eachServer((start) => {
  test("a session from before authors were recorded still counts as an owner's after another check", async (t) => {
    const server = await start(t);
    const acme = await addStaff(server, "acme");
    const person = await make(server, acme, "former", acme.clerk.token);
    const forget = (key: string) =>
      touch(server, sql`update sessions set prepared_by = null where session_id = ${key}`);
    const lasts = async (sessionId: string) => {
      const read = sql`select 1 from sessions where session_id = ${sessionId} and terminated_at is null`;
      return (await server.app.domain.database.read.all(read)).length === 1;
    };
    const again = async (sessionId: string) => {
      await forget(sessionId);
      const body = { checks: { password: { password: goodPassword } } };
      assert.equal((await server.rest("PATCH", `/v2/sessions/${sessionId}`, { body })).status, 200);
    };
    const untouched = await sessionOf(server, person);
    await forget(untouched.sessionId);
    const renewed = await sessionOf(server, person);
    await again(renewed.sessionId);
    const { sessionId: inBrowser, browser } = await ownerOf(server, person);
    await forget(inBrowser);
    const visitor = await visit(server, await addClient(server), { prompt: "login" }, browser);
    assert.ok(isBack(await enter(visitor, person)));
    await appoint(server, person, { organizationId: acme.organizationId }, ["ORG_OWNER"]);
    const outcomes = [await lasts(untouched.sessionId), await lasts(renewed.sessionId), await lasts(inBrowser)];
    assert.deepEqual(outcomes, [true, false, false], "what the second check rests on is known");

    await chooseByCode(server, person);
    const own = await sessionOf(server, { ...person, password: ownPassword });
    await forget(own.sessionId);
    const body = { checks: { password: { password: ownPassword } } };
    assert.equal((await server.rest("PATCH", `/v2/sessions/${own.sessionId}`, { body })).status, 200);
    await appoint(server, person, { instance: true }, ["IAM_OWNER"]);
    assert.equal(await lasts(own.sessionId), false, "what it rested on before stays unknown");
  });

  test("a passkey that is left alone of a step-up brings its author into the session that it opens", async (t) => {
    const server = await start(t);
    const acme = await addStaff(server, "acme");
    const client = await addClient(server);
    const demand = { claims: JSON.stringify({ id_token: { acr: { essential: true, values: ["phr"] } } }) };
    for (const isReturned of [true, false]) {
      const person = await make(server, acme, `left-${isReturned}`, acme.boss.token);
      const { userId } = person;
      const browser = await signedIn(server, person);
      const device = createAuthenticator({ origin: "http://localhost" });
      const link = isReturned
        ? await callUser(server, "CreatePasskeyRegistrationLink", { userId, returnCode: {} }, acme.owner.token)
        : {};
      const { token } = await sessionOf(server, person);
      const given = { userId, domain: "", ...(isReturned && { code: link.code }) };
      const begun = await callUser(server, "RegisterPasskey", given, isReturned ? undefined : token);
      const keys = keysAt(server);
      const { method, body } = keys.finish(userId, begun, device.create(begun.publicKeyCredentialCreationOptions));
      await callUser(server, method, body);
      server.clock.now += 60_000;
      const page = await browser.open(client.start(demand).path);
      const { options } = await ask(browser, page);
      const sessions = sql`select session_id as "sessionId" from sessions
        where user_id = ${userId} and terminated_at is null`;
      const { read } = server.app.domain.database;
      for (const { sessionId } of await read.all<{ sessionId: string }>(sessions)) {
        assert.equal((await server.rest("DELETE", `/v2/sessions/${sessionId}`, { body: {} })).status, 200);
      }
      const credential = JSON.stringify(device.get(options, { isVerified: true }));
      assert.ok(isBack(await browser.submit(page, { credential }, { action: "/ui/login/key" })));
      assert.equal((await read.all(sessions)).length, 1);
      await appoint(server, person, { instance: true }, ["IAM_OWNER"]);
      assert.equal((await read.all(sessions)).length, isReturned ? 0 : 1);
    }
  });
});
