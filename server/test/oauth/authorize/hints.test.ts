import assert from "node:assert/strict";
import { hours } from "../../../src/base/clock.ts";
import { revokeFamilyNow } from "../../../src/domain/token/index.ts";
import { enter, isBack, signedIn, visit } from "../../login/support/sign-in.ts";
import { testCall } from "../../support/operations/call.ts";
import { addPerson, type Person } from "../../support/people/people.ts";
import { changeSettings } from "../../support/servers/change-settings.ts";
import { serversInTurn } from "../../support/servers/each-server.ts";
import { addClient } from "../../support/sign-in/sign-in-client.ts";
import { TestBrowser } from "../../support/sign-in/test-browser.ts";

serversInTurn((start, test) => {
  test("prompt=none with several sessions takes that of login_hint or id_token_hint, and no other", async (t) => {
    const server = await start(t);
    const ada = await addPerson(server, { username: "ada" });
    const bob = await addPerson(server, { username: "bob" });
    const eve = await addPerson(server, { username: "eve" });
    const client = await addClient(server);
    const browser = await signedIn(server, bob, await signedIn(server, ada));
    const silently = (parameters: Record<string, string>) =>
      visit(server, client, { prompt: "none", ...parameters }, browser);
    const subjectOf = async (parameters: Record<string, string>): Promise<string> => {
      const { page, codeVerifier } = await silently(parameters);
      if (!isBack(page)) return new URL(page.address).searchParams.get("error") ?? page.address;
      const { body } = await client.exchange(page.address, codeVerifier);
      return JSON.parse(Buffer.from(body.id_token.split(".")[1], "base64url").toString()).sub;
    };
    const hintOf = async (person: Person): Promise<string> => {
      const visitor = await visit(server, client, {}, new TestBrowser(server));
      const { body } = await client.exchange((await enter(visitor, person)).address, visitor.codeVerifier);
      return body.id_token;
    };
    assert.equal(await subjectOf({}), "interaction_required");
    assert.equal(await subjectOf({ login_hint: "nobody@mail.example" }), "interaction_required");
    assert.equal(await subjectOf({ login_hint: eve.loginName }), "interaction_required", "she has no session here");
    for (const person of [ada, bob]) {
      for (const hint of [person.loginName, person.loginName.toUpperCase()]) {
        assert.equal(await subjectOf({ login_hint: hint }), person.userId, hint);
      }
      const hint = await hintOf(person);
      assert.equal(await subjectOf({ id_token_hint: hint }), person.userId);
      assert.equal(await subjectOf({ id_token_hint: hint, login_hint: ada.loginName }), person.userId, "it demands");
    }
    assert.equal(await subjectOf({ login_hint: "ada@mail.example" }), ada.userId, "by email address");
    assert.equal(await subjectOf({ id_token_hint: await hintOf(eve) }), "login_required");
    assert.match((await visit(server, client, { login_hint: ada.loginName }, browser)).page.title, /^Choose/);
  });

  test("prompt=none goes by no id token whose family has ended: the user is asked again (A5)", async (t) => {
    const server = await start(t);
    // The sign-in outlives its id tokens.
    await changeSettings(server, "login", { passwordCheckLifetimeSeconds: 864_000 });
    const ada = await addPerson(server, { username: "ada" });
    const client = await addClient(server);
    const browser = await signedIn(server, ada);
    const sign = async (visiting = browser) => {
      const visitor = await visit(server, client, {}, visiting);
      const page = isBack(visitor.page) ? visitor.page : await enter(visitor, ada);
      return (await client.exchange(page.address, visitor.codeVerifier)).body;
    };
    const silently = async (hint: string): Promise<string | null> => {
      const { page } = await visit(server, client, { prompt: "none", id_token_hint: hint }, browser);
      return isBack(page) ? "signed in" : new URL(page.address).searchParams.get("error");
    };
    const [revoked, kept, elsewhere] = [await sign(), await sign(), await sign(new TestBrowser(server))];
    const expired = kept.id_token;
    for (const { id_token: hint } of [revoked, kept, elsewhere]) assert.equal(await silently(hint), "signed in");
    const { domain } = server.app;
    const instanceId = (await domain.findInstanceByHost("localhost"))?.instanceId ?? "";
    const familyOf = (jti: string): string => jti.split(".")[1] ?? "";
    const jti = JSON.parse(Buffer.from(revoked.id_token.split(".")[1], "base64url").toString()).jti;
    const call = testCall({ instanceId, now: domain.clock() });
    await revokeFamilyNow(domain, call, familyOf(jti), "revoked_by_user");
    assert.equal(await silently(revoked.id_token), "login_required");
    // Signing out in the other browser ends what was issued there.
    const { sid } = JSON.parse(Buffer.from(elsewhere.id_token.split(".")[1], "base64url").toString());
    await server.rest("DELETE", `/v2/sessions/${sid}`, { body: {} });
    assert.equal(await silently(elsewhere.id_token), "login_required");
    assert.equal(await silently(kept.id_token), "signed in");
    server.clock.now += hours(14);
    assert.equal(await silently(expired), "signed in", "one that has expired is still a hint");
    // With a page it is a hint like any other: it names who is expected.
    const asked = await visit(server, client, { prompt: "login", id_token_hint: revoked.id_token }, browser);
    assert.match(asked.page.address, /^\/ui\/login/);
  });

  test("what is sent beside an implicit request is taken as with the code flow", async (t) => {
    const server = await start(t);
    const ada = await addPerson(server, { username: "ada" });
    const client = await addClient(server, { responseTypes: ["id_token", "id_token token"], grantTypes: ["implicit"] });
    const browser = await signedIn(server, ada);
    const required = { response_type: "id_token", nonce: "n" };
    const first = await visit(server, client, required, browser);
    const hint = new URLSearchParams(new URL(first.page.address).hash.slice(1)).get("id_token") ?? assert.fail();
    for (const responseType of ["id_token", "id_token token", "token id_token"]) {
      for (const beside of [
        ...["page", "popup"].map((display) => ({ display })),
        { ui_locales: "se" },
        { claims_locales: "se" },
        { acr_values: "1 2" },
        { extra: "foobar" },
        { login_hint: ada.loginName },
        { id_token_hint: hint, prompt: "none" },
        { claims: '{"id_token":{"name":{"essential":true}}}' },
        { scope: "address phone email profile openid" },
      ] as Record<string, string>[]) {
        const { page } = await visit(server, client, { ...required, response_type: responseType, ...beside }, browser);
        const answer = new URLSearchParams(new URL(page.address, server.origin).hash.slice(1));
        assert.ok(answer.has("id_token"), `${responseType} ${JSON.stringify(beside)}: ${page.address}`);
        assert.equal(answer.get("state"), "s1");
        assert.equal(answer.has("access_token"), responseType !== "id_token");
      }
    }
    for (const refused of [{ nonce: "" }, { request: "e30.e30." }, { request_uri: "https://app.example/r" }]) {
      const { page } = await visit(server, client, { ...required, ...refused }, browser);
      assert.match(page.address, /#error=\w+/, JSON.stringify(refused));
    }
  });

  test("the page that posts an answer speaks the language of ui_locales, then that of the browser", async (t) => {
    const server = await start(t);
    const ada = await addPerson(server, { username: "ada" });
    const client = await addClient(server);
    const browser = await signedIn(server, ada);
    const languageOf = async (parameters: Record<string, string>, headers: Record<string, string>) => {
      const { path } = client.start({ response_mode: "form_post", ...parameters });
      const { html } = await browser.open(path, headers);
      assert.match(html, /shop\.example/);
      return /<html lang="([^"]*)"/.exec(html)?.[1];
    };
    const german = { "accept-language": "de" };
    const english = { "accept-language": "en" };
    assert.equal(await languageOf({}, german), "de");
    assert.equal(await languageOf({ ui_locales: "en de" }, german), "en");
    assert.equal(await languageOf({ ui_locales: "xx de-CH" }, english), "de");
    assert.equal(await languageOf({ ui_locales: "xx" }, english), "en");
    assert.equal(await languageOf({ ui_locales: "de", scope: "profile" }, english), "de", "an error");
    await browser.open("/ui/login/accounts?language=en");
    assert.equal(await languageOf({ ui_locales: "de" }, german), "en", "what the person chose goes before");
  });

  test("an answer after a sign-in is posted in the language of its request", async (t) => {
    const server = await start(t);
    const ada = await addPerson(server, { username: "ada" });
    const client = await addClient(server);
    const visitor = await visit(server, client, { response_mode: "form_post", ui_locales: "de" });
    assert.match(visitor.page.html, /<html lang="de"/);
    const back = await enter(visitor, ada);
    assert.match(back.html, /<html lang="de"/);
    assert.match(back.html, /shop\.example/);
  });
});
