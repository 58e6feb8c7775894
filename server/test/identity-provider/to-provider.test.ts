import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../src/database/index.ts";
import { isBack, visit } from "../login/support/sign-in.ts";
import { startTestProvider } from "../support/identity-provider/test-provider.ts";
import { testCall } from "../support/operations/call.ts";
import { addOrganization } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { eachServer } from "../support/servers/each-server.ts";
import { addClient } from "../support/sign-in/sign-in-client.ts";
import { type ShownPage, TestBrowser } from "../support/sign-in/test-browser.ts";
import { knowProvider } from "./attempts.ts";

eachServer((start) => {
  test("what sends users to an identity provider", async (t) => {
    const server = await start(t);
    const provider = await startTestProvider(t, () => server.clock.now);
    const first = await knowProvider(server, provider, { options: { isAutoCreation: true } });
    const second = await knowProvider(server, provider, { options: { isAutoCreation: true } });
    const acme = await addOrganization(server, "Acme");
    const client = await addClient(server);
    await changeSettings(server, "login", { identityProviderIds: [first, second], ignoreUnknownUsernames: false });
    await changeSettings(server, "login", { identityProviderIds: [second], ignoreUnknownUsernames: false }, acme);
    const isThere = (page: ShownPage) => page.address.startsWith(`${provider.issuer}/authorize`);
    const asked = (page: ShownPage) => Object.fromEntries(new URL(page.address).searchParams);
    const comeBack = (browser: TestBrowser, away: ShownPage, user: object) => {
      provider.user = { given_name: "Nina", family_name: "New", email_verified: true, ...user };
      const back = provider.signIn(away.address);
      return browser.open(back.pathname + back.search);
    };
    const findByEmail = async (emailAddress: string) =>
      (await server.rest("POST", "/v2/users", { body: { queries: [{ emailQuery: { emailAddress } }] } })).body
        .result?.[0];

    await t.test("what the application said of the user and its languages is passed on", async () => {
      const hints = { login_hint: "nina@provider.example", ui_locales: "de en", prompt: "select_account" };
      const { browser, page } = await visit(server, client, hints);
      const away = await browser.submit(page, { provider: first }, { action: "/ui/login/provider" });
      const { login_hint, ui_locales, prompt } = asked(away);
      assert.deepEqual({ login_hint, ui_locales, prompt }, hints);
      const fresh = await visit(server, client, { prompt: "login" });
      const again = await fresh.browser.submit(fresh.page, { provider: first }, { action: "/ui/login/provider" });
      assert.equal(asked(again)["prompt"], "login");
    });

    await t.test("the provider that was used last is marked, in this browser alone", async () => {
      const browser = new TestBrowser(server);
      const page = await browser.open("/ui/login");
      const away = await browser.submit(page, { provider: second }, { action: "/ui/login/provider" });
      await comeBack(browser, away, { sub: "last", email: "last@provider.example" });
      const later = await browser.open("/ui/login?account=other");
      assert.equal(later.html.split("Last used").length, 2);
      assert.ok(later.html.indexOf("Last used") > later.html.indexOf(`value="${second}"`));
      assert.doesNotMatch((await new TestBrowser(server).open("/ui/login")).html, /Last used/);
    });

    await t.test("a scope of the application leads straight to a provider that is offered", async () => {
      const scope = (id: string) => ({ scope: `openid urn:service:iam:org:idp:id:${id}` });
      const { browser, page } = await visit(server, client, scope(second));
      assert.ok(isThere(page), page.html);
      const home = await comeBack(browser, page, { sub: "last", email: "last@provider.example" });
      assert.ok(isBack(home), home.html);
      assert.match((await visit(server, client, scope("404"))).page.title, /Sign in/);
    });

    await t.test("an unknown name leads to the organization of its domain: its provider, and its users", async () => {
      const { body } = await server.rest("POST", "/management/v1/orgs/me/domains", {
        body: { domain: "acme.example" },
        headers: { "x-service-orgid": acme },
      });
      assert.ok(body);
      const { database } = server.app.domain;
      const instance = await server.app.domain.findInstanceByHost("localhost");
      const call = testCall({ instanceId: instance?.instanceId ?? "", now: server.clock.now });
      await database.touch(call, (tx) =>
        tx.run(sql`update organization_domains set is_verified = 1, is_proven = 1
          where instance_id = ${call.instanceId} and domain = 'acme.example'`),
      );
      const { browser, page } = await visit(server, client);
      const away = await browser.submit(page, { login_name: "Nina@Acme.example" });
      assert.ok(isThere(away), away.html);
      assert.equal(asked(away)["login_hint"], "Nina@Acme.example");
      const home = await comeBack(browser, away, { sub: "nina", email: "nina@acme.example" });
      assert.ok(isBack(home), home.html);
      assert.equal((await findByEmail("nina@acme.example")).details.resourceOwner, acme);

      await changeSettings(server, "login", { allowDomainDiscovery: false }, acme);
      const off = await visit(server, client);
      const told = await off.browser.submit(off.page, { login_name: "otto@acme.example" });
      assert.match(told.alert ?? "", /could not find this account/);
      await changeSettings(server, "login", { allowDomainDiscovery: true, ignoreUnknownUsernames: true }, acme);
      const hidden = await visit(server, client);
      const silent = await hidden.browser.submit(hidden.page, { login_name: "otto@acme.example" });
      assert.match(silent.address, /^\/ui\/login\/password/, "who exists is hidden");
      await changeSettings(server, "login", { ignoreUnknownUsernames: false }, acme);
    });

    await t.test("an organization with several sign-in methods shows them, and its registration", async () => {
      await changeSettings(server, "login", { identityProviderIds: [first, second] }, acme);
      const { browser, page } = await visit(server, client);
      const led = await browser.submit(page, { login_name: "otto@acme.example" });
      assert.match(led.address, new RegExp(`organization=${acme}`));
      assert.match(led.alert ?? "", /could not find this account/);
      const link = /href="(\/ui\/login\/register[^"]*)"/.exec(led.html)?.[1]?.replaceAll("&amp;", "&") ?? "";
      const form = await browser.open(link);
      assert.match(form.html, /value="otto@acme.example"/);
      const home = await browser.submit(form, {
        given_name: "Otto",
        family_name: "New",
        password: "Correct-Horse-9",
        new_password_repeated: "Correct-Horse-9",
      });
      assert.ok(isBack(home), home.html);
      assert.equal((await findByEmail("otto@acme.example")).details.resourceOwner, acme);
      await changeSettings(server, "login", { identityProviderIds: [second] }, acme);
    });

    await t.test("where users sign in by one provider alone, they are not asked", async () => {
      await changeSettings(server, "login", { allowLocalAuthentication: false }, acme);
      const scope = `openid urn:service:iam:org:id:${acme}`;
      const { browser, page } = await visit(server, client, { scope });
      assert.ok(isThere(page), page.html);
      // Gone back, and canceled there: no loop.
      const back = provider.signIn(page.address);
      back.searchParams.delete("code");
      back.searchParams.set("error", "access_denied");
      const cancelled = await browser.open(back.pathname + back.search);
      assert.match(cancelled.title, /canceled/);
      const other = /<a href="(\/ui\/login[^"]*)">Sign in another way/.exec(cancelled.html)?.[1] ?? "";
      assert.match((await browser.open(other.replaceAll("&amp;", "&"))).title, /Sign in/);
      // A name of such an organization leads to the same provider, whether or not a user has it.
      const { page: names, browser: typing } = await visit(server, client);
      for (const name of ["nina@acme.example", "nobody@acme.example"]) {
        const away = await typing.submit(names, { login_name: name });
        assert.ok(isThere(away), away.html);
      }
      await changeSettings(server, "login", { identityProviderIds: [first, second] }, acme);
      const many = await visit(server, client);
      const choice = await many.browser.submit(many.page, { login_name: "nina@acme.example" });
      assert.match(choice.alert ?? "", /requires an identity provider/);
      await changeSettings(server, "login", { allowExternalIdp: false }, acme);
      const none = await visit(server, client, { scope });
      assert.equal(none.page.forms.filter(({ action }) => action.includes("/provider")).length, 0);
    });
  });
});
