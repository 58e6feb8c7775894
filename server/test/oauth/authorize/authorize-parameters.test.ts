import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../../src/database/index.ts";
import { enter, isBack, visit } from "../../login/support/sign-in.ts";
import { testCall } from "../../support/operations/call.ts";
import { addPerson } from "../../support/people/people.ts";
import { changeSettings } from "../../support/servers/change-settings.ts";
import { eachServer } from "../../support/servers/each-server.ts";
import { addClient } from "../../support/sign-in/sign-in-client.ts";
import { TestBrowser } from "../../support/sign-in/test-browser.ts";

eachServer((start) => {
  test("authorization requests of a browser that is signed in, parameter by parameter", async (t) => {
    const server = await start(t);
    // The sign-in outlives its id tokens.
    await changeSettings(server, "login", { passwordCheckLifetimeSeconds: 864_000 });
    const ada = await addPerson(server, { username: "ada" });
    const client = await addClient(server);
    const browser = new TestBrowser(server);
    const first = await visit(server, client, {}, browser);
    const { body: tokens } = await client.exchange((await enter(first, ada)).address, first.codeVerifier);
    const silently = async (parameters: Record<string, string>) =>
      (await visit(server, client, { prompt: "none", ...parameters }, browser)).page;

    await t.test("what we do not use is accepted, and changes nothing", async () => {
      const unused: Record<string, string>[] = [
        {},
        ...["page", "popup", "touch", "wap"].map((display) => ({ display })),
        { claims_locales: "de" },
        { ui_locales: "xx de" },
        { acr_values: "urn:example:gold" },
        { extra: "foobar", "extra[]": "1" },
        { response_mode: "carrier_pigeon" },
        { scope: "address openid" },
        { login_hint: "somebody@example.com" },
      ];
      for (const parameters of unused) {
        const page = await silently(parameters);
        assert.ok(isBack(page), `${JSON.stringify(parameters)}: ${page.address}`);
        assert.equal(new URL(page.address).searchParams.get("state"), "s1");
      }
    });

    await t.test("a method that was only asked for is not claimed as a method of the sign-in", async () => {
      const { page, codeVerifier } = await visit(server, client, { acr_values: "urn:example:gold" }, browser);
      const { body } = await client.exchange(page.address, codeVerifier);
      const claims = JSON.parse(Buffer.from(body.id_token.split(".")[1], "base64url").toString());
      assert.deepEqual(claims.amr, ["pwd"]);
      assert.notEqual(claims.acr, "urn:example:gold");
    });

    await t.test("prompt=consent is accepted, where there is nothing to consent to", async () => {
      assert.ok(isBack((await visit(server, client, { prompt: "consent" }, browser)).page));
    });

    await t.test("an unknown prompt is ignored, as that of a client of another provider", async () => {
      assert.ok(isBack((await visit(server, client, { prompt: "dance" }, browser)).page));
      assert.ok(
        !isBack((await visit(server, client, { prompt: "dance login" }, browser)).page),
        "the known one counts",
      );
    });

    await t.test("an id token is a hint for as long as it is genuine; another one is passed over", async () => {
      assert.ok(isBack(await silently({ id_token_hint: tokens.id_token })));
      server.clock.now += 43_200_000;
      assert.ok(isBack(await silently({ id_token_hint: tokens.id_token })), "expired");
      const [header, payload] = tokens.id_token.split(".");
      for (const hint of ["x", "a.b.c", `${header}.${payload}.AAAA`, tokens.access_token]) {
        assert.ok(isBack(await silently({ id_token_hint: hint })), hint.slice(0, 20));
      }
      const bob = await addPerson(server, { username: "bob" });
      const elsewhere = await visit(server, client);
      const { body } = await client.exchange((await enter(elsewhere, bob)).address, elsewhere.codeVerifier);
      const page = await silently({ id_token_hint: body.id_token });
      assert.match(page.address, /[?&]error=login_required/, "somebody else is expected");
    });

    await t.test("prompt and max_age hold for the front channel as well", async () => {
      const implicit = await addClient(server, { responseTypes: ["id_token"], grantTypes: ["implicit"] });
      const ask = async (parameters: Record<string, string>) => {
        const wanted = { response_type: "id_token", nonce: "n-1", ...parameters };
        return (await visit(server, implicit, wanted, browser)).page;
      };
      server.clock.now += 60_000;
      for (const parameters of [{ prompt: "none" }, { prompt: "none", max_age: "100000" }, {}] as Record<
        string,
        string
      >[]) {
        assert.match((await ask(parameters)).address, /#.*id_token=/, JSON.stringify(parameters));
      }
      assert.match((await ask({ prompt: "none", max_age: "1" })).address, /#.*error=login_required/);
      for (const parameters of [{ prompt: "login" }, { max_age: "1" }] as Record<string, string>[]) {
        assert.match((await ask(parameters)).title, /^Sign in/, JSON.stringify(parameters));
      }
    });

    await t.test("a malformed request is invalid_request, at the client where one can be told", async () => {
      const { path } = client.start();
      for (const bad of ["%4", "%zz", "%ff", "%00", "%c3%28"]) {
        const page = await browser.open(`${path}&nonce=${bad}`);
        assert.equal(page.status, 400, bad);
        assert.ok(page.address.startsWith("/oauth/v2/authorize"), bad);
      }
      const repeated = await browser.open(`${path}&nonce=1&nonce=2`);
      assert.match(repeated.address, /[?&]error=invalid_request/);
    });

    await t.test("an unexpected failure is server_error, with state, and reveals nothing internal", async () => {
      const { domain } = server.app;
      const instance = await domain.findInstanceByHost("localhost");
      const call = testCall({ instanceId: instance?.instanceId ?? "", now: domain.clock() });
      const rename = (statement: ReturnType<typeof sql>) => domain.database.touch(call, (tx) => tx.run(statement));
      await rename(sql`alter table authorization_codes rename to lost`);
      const answer = await silently({});
      await rename(sql`alter table lost rename to authorization_codes`);
      const query = new URL(answer.address).searchParams;
      assert.equal(query.get("error"), "server_error");
      assert.equal(query.get("error_description"), "unexpected condition");
      assert.equal(query.get("state"), "s1");
      assert.equal(server.errorLog.splice(0).length, 1);
    });

    await t.test("with two sessions neither is chosen silently: interaction_required", async () => {
      const eve = await addPerson(server, { username: "eve" });
      const page = await browser.open("/ui/login?account=other");
      await enter({ browser, page }, eve);
      const answer = await silently({});
      assert.match(answer.address, /[?&]error=interaction_required/);
      assert.equal(new URL(answer.address).searchParams.get("state"), "s1");
    });
  });
});
