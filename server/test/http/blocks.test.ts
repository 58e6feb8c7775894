import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../src/database/index.ts";
import { make, touch } from "../authorization/support/prepared.ts";
import { slugOf } from "../factor/support.ts";
import { addStaff } from "../identity-provider/trusted.ts";
import { deviceGrant } from "../oauth/device/support.ts";
import { fetch } from "../support/http/fetch.ts";
import { minimal, register, registrationPath, setRegistration } from "../support/oidc/registration.ts";
import { eachServer } from "../support/servers/each-server.ts";
import { addClient } from "../support/sign-in/sign-in-client.ts";

const config = { trustedProxies: ["127.0.0.0/8"] };
const from = (address: string) => ({ "x-forwarded-for": address });
/** An address in one of many networks of a site. */
const near = (index: number): string => `2001:db8:9:${index.toString(16)}::1`;
const elsewhere = "2001:db8:a::1";

eachServer((start) => {
  test("a site with many networks has a share of what is counted in rows", async (t) => {
    const server = await start(t, { config });

    await t.test("clients that register themselves", async () => {
      await setRegistration(server, "open", { maxUnusedClientsPerSource: 2, maxUnusedClients: 100 });
      const ask = async (source: string) => {
        const headers = { "content-type": "application/json", ...from(source) };
        const body = JSON.stringify(minimal);
        return (await fetch(server.origin + registrationPath, { method: "POST", headers, body })).status;
      };
      const made: number[] = [];
      for (let index = 0; index < 6; index++) made.push(await ask(near(index)), await ask(near(index)));
      assert.deepEqual(
        made.map((status) => (status === 201 ? 201 : 429)),
        [...Array.from({ length: 8 }, () => 201), ...Array.from({ length: 4 }, () => 429)],
      );
      assert.deepEqual([await ask(elsewhere), await ask("198.51.100.1"), await ask("198.51.100.10")], [201, 201, 201]);
      assert.equal((await register(server, minimal)).status, 201, "an administrator has no share");
    });

    await t.test("devices that ask for codes", async () => {
      const client = await addClient(server, { grantTypes: [deviceGrant], authMethod: "none" });
      const ask = async (source: string) => {
        const body = new URLSearchParams({ client_id: client.clientId });
        const path = `${server.origin}/oauth/v2/device_authorization`;
        return (await fetch(path, { method: "POST", body, headers: from(source) })).status;
      };
      assert.equal(await ask(near(0)), 200);
      await touch(server, sql`update device_attempts set attempts = 399 where source = 'ask 2001:db8:9::/48'`);
      assert.deepEqual([await ask(near(1)), await ask(near(2))], [200, 503]);
      assert.equal(await ask(elsewhere), 200);
    });

    await t.test("wrong codes of an address, which say nothing of the code", async () => {
      const acme = await addStaff(server, "globex");
      const made = [
        await make(server, acme, "with-code", acme.boss.token),
        await make(server, acme, "without", acme.boss.token),
      ];
      const [withCode, without] = made.map(({ userId }) => userId);
      const email = "with-code@globex.example";
      await server.rest("POST", `/v2/users/${withCode}/email`, { body: { email, returnCode: {} } });
      const guess = async (source: string, userId = "") => {
        const body = { verificationCode: "WRONG1" };
        const answer = await server.rest("POST", `/v2/users/${userId}/email/verify`, { body, headers: from(source) });
        return `${answer.status} ${slugOf(answer)}`;
      };
      const expected = "400 user.code_invalid";
      for (let index = 0; index < 4; index++)
        for (let count = 0; count < 5; count++) assert.equal(await guess(near(index), withCode), expected);
      for (const userId of [withCode, without, "nobody-at-all"]) assert.equal(await guess(near(9), userId), expected);
    });

    await t.test("wrong codes of a link", async () => {
      const acme = await addStaff(server, "acme");
      const { userId } = await make(server, acme, "guessed", acme.boss.token);
      const reset = await server.rest("POST", `/v2/users/${userId}/password_reset`, { body: { returnCode: {} } });
      const guess = async (source: string, verificationCode: string) => {
        const body = { newPassword: { password: "another long sentence for it" }, verificationCode };
        return server.rest("POST", `/v2/users/${userId}/password`, { body, headers: from(source) });
      };
      for (let index = 0; index < 4; index++)
        for (let count = 0; count < 5; count++) await guess(near(index), "WRONG1");
      const right = reset.body.verificationCode;
      assert.notEqual((await guess(near(9), right)).status, 200, "a network that has guessed nothing");
      assert.equal((await guess(elsewhere, right)).status, 200);
    });
  });
});
