import assert from "node:assert/strict";
import { test } from "node:test";
import { minutes } from "../../../src/base/clock.ts";
import { isBack, signedIn, visit } from "../../login/support/sign-in.ts";
import { setProviderState } from "../../support/identity-provider/identity-providers.ts";
import { startTestDirectory } from "../../support/identity-provider/test-directory.ts";
import { addOrganization, addPerson, sessionOf } from "../../support/people/people.ts";
import { changeSettings } from "../../support/servers/change-settings.ts";
import { eachServer } from "../../support/servers/each-server.ts";
import { recordedEvents } from "../../support/servers/recorded-events.ts";
import { addClient } from "../../support/sign-in/sign-in-client.ts";
import { TestBrowser } from "../../support/sign-in/test-browser.ts";
import { arrive, pages, startAttempt } from "../attempts.ts";
import {
  addDirectory,
  bodyOfDirectory,
  enterAt,
  entry,
  openForm,
  passwordOf,
  prove,
  proven,
  retrieve,
  slug,
  wrong,
} from "./directories.ts";

eachServer((start) => {
  test("signing in with a directory", async (t) => {
    const log: string[] = [];
    const server = await start(t, { log });
    const directory = await startTestDirectory(t);
    directory.entries = [
      entry("ada"),
      entry("bea"),
      entry("cleo"),
      entry("dora", { businessCategory: ["true and more"] }),
    ];
    const idpId = await addDirectory(server, directory);
    const client = await addClient(server);
    const links = async (userId: string) =>
      (await server.rest("POST", `/v2/users/${userId}/links/_search`, { body: {} })).body.result ?? [];

    await t.test("an application gets its code, with a form of ours in between", async () => {
      const { browser, page: first, codeVerifier } = await visit(server, client);
      const page = await browser.submit(first, { provider: idpId }, { action: "/ui/login/provider" });
      assert.match(page.address, /^\/idps\/ldap\?state=/);
      assert.match(page.html, /type="password"/);
      assert.match(page.html, /password for <bdi>Directory/);
      const refused = await browser.submit(page, { username: "ada", password: "wrong" }, { action: "/idps/ldap" });
      assert.match(refused.alert ?? "", wrong);
      assert.match(refused.html, /value="ada"/, "the name stays");
      assert.doesNotMatch(refused.html, /value="wrong"/);
      const entered = { username: " ada ", password: passwordOf("ada") };
      const asked = await browser.submit(refused, entered, { action: "/idps/ldap" });
      const back = await browser.submit(asked, {}, { action: "/ui/login/external?" });
      assert.ok(isBack(back), back.html);
      const { status, body } = await client.exchange(back.address, codeVerifier);
      assert.equal(status, 200, JSON.stringify(body));
      const { sub } = JSON.parse(Buffer.from(body.id_token.split(".")[1], "base64url").toString());
      assert.deepEqual(await links(sub), [{ idpId, userId: "ada", userName: "ada" }]);
      const { user } = (await server.rest("GET", `/v2/users/${sub}`)).body;
      assert.deepEqual([user.human.profile.givenName, user.human.email.isVerified], ["Given", true]);
    });

    await t.test("the form works once, in its browser, and until its attempt is over", async () => {
      const opened = await openForm(server, idpId);
      const thief = new TestBrowser(server);
      const stolen = await thief.open(opened.form.address);
      assert.equal(stolen.forms.filter(({ action }) => action.includes("/idps/ldap")).length, 0, stolen.html);
      const posted = await thief.send(opened.form.address, { method: "POST", body: "username=ada&password=x" });
      assert.notEqual(posted.status, 200);
      await posted.arrayBuffer();
      const done = await enterAt(opened, "ada", passwordOf("ada"));
      assert.equal(done.address, "/ui/login/signed-in", done.html);
      const before = directory.requests.length;
      await enterAt(opened, "ada", passwordOf("ada"));
      assert.equal(directory.requests.length, before, "nothing was asked");
      const late = await openForm(server, idpId);
      server.clock.now += minutes(31);
      assert.equal((await enterAt(late, "ada", passwordOf("ada"))).forms.length, 0);
      assert.equal((await new TestBrowser(server).open("/idps/ldap?state=unknown")).status, 400);
      assert.equal((await new TestBrowser(server).open("/idps/ldap")).status, 400);
    });

    await t.test("a form of another site is refused", async () => {
      const { browser, form } = await openForm(server, idpId);
      const before = directory.requests.length;
      const headers = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
      const entered = { username: "ada", password: passwordOf("ada") };
      const refused = await browser.submit(form, entered, { action: "/idps/ldap", headers });
      assert.equal(refused.status, 403);
      assert.equal(directory.requests.length, before);
    });

    await t.test("of two forms that are sent at once, one goes on", async () => {
      const opened = await openForm(server, idpId);
      const ends = await Promise.all([
        enterAt({ ...opened, browser: opened.browser.copy() }, "ada", passwordOf("ada")),
        enterAt({ ...opened, browser: opened.browser.copy() }, "ada", passwordOf("ada")),
      ]);
      const succeeded = (await recordedEvents(server)).filter(({ type }) => type === "idpintent.consumed").length;
      assert.equal(
        ends.filter(({ address }) => address === "/ui/login/signed-in").length,
        1,
        ends.map((e) => e.address).join(),
      );
      assert.ok(succeeded > 0);
    });

    await t.test("a signed-in user links an account", async () => {
      const kim = await addPerson(server, { username: "kim" });
      const browser = await signedIn(server, kim);
      const page = await browser.open(`/ui/account/methods/link?provider=${idpId}`);
      const form = await browser.submit(page, {}, { action: "/ui/account/methods/link" });
      assert.match(form.address, /^\/idps\/ldap/, form.html);
      const linked = await enterAt({ browser, form }, "bea", passwordOf("bea"));
      assert.match(linked.address, /^\/ui\/account\/methods/, linked.html);
      const asked = linked.forms.find(({ action }) => action.includes("/link"));
      if (asked !== undefined) await browser.submit(linked, { decision: "link" }, { action: asked.action });
      assert.deepEqual(await links(kim.userId), [{ idpId, userId: "bea", userName: "bea" }]);
    });

    await t.test("an invited user accepts with an account of a directory", async () => {
      const organizationId = await addOrganization(server, "Inviting");
      directory.entries = [...directory.entries, entry("eve")];
      const human = {
        profile: { givenName: "Eve", familyName: "E" },
        email: { email: "eve@directory.example", isVerified: true },
      };
      const made = await server.rest("POST", "/v2/users/new", { body: { organizationId, username: "eve", human } });
      assert.equal(made.status, 200, JSON.stringify(made.body));
      const { id } = made.body;
      const asked = await server.rest("POST", `/v2/users/${id}/invite_code`, { body: { returnCode: {} } });
      const browser = new TestBrowser(server);
      const page = await browser.open(`/ui/login/invitation?user=${id}&code=${asked.body.inviteCode}`);
      const form = await browser.submit(page, { provider: idpId }, { action: "/ui/login/invitation" });
      assert.match(form.address, /^\/idps\/ldap\?state=/, form.html);
      assert.match(form.html, /value="eve@directory.example"/, "the form begins with the address");
      const question = await enterAt({ browser, form }, "eve", passwordOf("eve"));
      assert.match(question.address, /^\/ui\/login\/invitation\/provider/, question.html);
      await browser.submit(question, { decision: "link" }, { action: "/ui/login/invitation/provider" });
      assert.deepEqual(await links(id), [{ idpId, userId: "eve", userName: "eve" }]);
    });

    await t.test("a login with one provider asks nothing before, and passes the name on", async () => {
      const only = { allowLocalAuthentication: false, allowExternalIdp: true };
      await changeSettings(server, "login", only);
      const { page } = await visit(server, client, { login_hint: "ada@directory.example" });
      await changeSettings(server, "login", { allowLocalAuthentication: true });
      assert.match(page.address, /^\/idps\/ldap\?state=[\w-]+$/, page.html);
      assert.match(page.html, /value="ada@directory.example"/);
    });

    await t.test("an application with a login of its own proves a user, for one session", async () => {
      const lin = await addPerson(server, { username: "lin" });
      const idpLink = { idpId, userId: "cleo", userName: "cleo" };
      assert.equal((await server.rest("POST", `/v2/users/${lin.userId}/links`, { body: { idpLink } })).status, 200);
      const answer = await prove(server, idpId, "cleo", passwordOf("cleo"));
      assert.equal(answer.body.idpIntent.userId, lin.userId);
      const { idpIntentId, idpIntentToken } = answer.body.idpIntent;
      const read = await retrieve(server, { idpIntentId, idpIntentToken });
      assert.equal(read.userId, lin.userId);
      assert.deepEqual(read.idpInformation.ldap.attributes.mail, ["cleo@directory.example"]);
      const checks = { user: { userId: lin.userId }, idpIntent: { idpIntentId, idpIntentToken } };
      assert.equal((await server.rest("POST", "/v2/sessions", { body: { checks } })).status, 201);
      assert.equal(
        slug(await server.rest("POST", "/v2/sessions", { body: { checks } })),
        "400 identity_intent.invalid",
      );
      // Another user is not the one who was proven.
      const other = await proven(server, idpId, "cleo", passwordOf("cleo"));
      const kim = (
        await server.rest("POST", "/v2/users", { body: { queries: [{ userNameQuery: { userName: "kim" } }] } })
      ).body.result[0];
      const stolen = { user: { userId: kim.userId }, idpIntent: other };
      const refused = await server.rest("POST", "/v2/sessions", { body: { checks: stolen } });
      assert.equal(slug(refused), "400 identity_intent.other_user");
    });

    await t.test("the same application may send a browser to the form", async () => {
      const form = await new TestBrowser(server).open(await pathOf(startAttempt(server, idpId)));
      assert.match(form.html, /type="password"/);
      const browser = new TestBrowser(server);
      const opened = { browser, form: await browser.open(form.address) };
      const away = await enterAt(opened, "cleo", passwordOf("cleo"));
      const told = new URL(away.address);
      assert.equal(told.origin + told.pathname, "https://login.example/good");
      assert.ok(told.searchParams.get("token"));
      assert.ok(told.searchParams.get("user"));
      // No code or error from elsewhere answers for a directory.
      const state = new URL(await startAttempt(server, idpId)).searchParams.get("state") ?? "";
      const forged = await arrive(`${server.origin}/idps/callback?state=${state}&code=x`);
      assert.equal(forged.page, pages.failureUrl);
    });

    await t.test("only those who may begin an attempt have credentials checked", async () => {
      const organizationId = await addOrganization(server, "Fenced");
      const plain = await addPerson(server, { username: "plain", organizationId });
      const before = directory.requests.length;
      assert.equal((await prove(server, idpId, "ada", passwordOf("ada"), { token: null })).status, 401);
      const { token } = await sessionOf(server, plain);
      await changeSettings(server, "login", { identityProviderIds: [] }, organizationId);
      const hidden = await prove(server, idpId, "ada", passwordOf("ada"), { token });
      assert.equal(slug(hidden), "404 identity_intent.provider_not_found");
      assert.equal(directory.requests.length, before, "nothing was asked");
    });

    await t.test(
      "the form for a directory of an organization says whose it is, and no browser fills it in",
      async () => {
        const organizationId = await addOrganization(server, "Trapdoor");
        const headers = { "x-zitadel-orgid": organizationId };
        const body = bodyOfDirectory(directory, { name: "Your account" });
        const added = await server.rest("POST", "/management/v1/idps/ldap", { body, headers });
        assert.equal(added.status, 200, JSON.stringify(added.body));
        await changeSettings(server, "login", { identityProviderIds: [added.body.id] }, organizationId);
        const browser = new TestBrowser(server);
        const page = await browser.open(`/ui/login?account=other&organization=${organizationId}`);
        const form = await browser.submit(page, { provider: added.body.id }, { action: "/ui/login/provider" });
        assert.match(form.html, /belongs to the organization <strong><bdi>Trapdoor/);
        assert.doesNotMatch(
          form.html,
          /Your account/,
          "the name of the provider is not said where only a link led here",
        );
        assert.doesNotMatch(form.html, /autocomplete="(?:username|current-password)"/);
        assert.match((await openForm(server, idpId)).form.html, /autocomplete="current-password"/);
      },
    );

    await t.test("an address counts as verified only by the word TRUE", async () => {
      const read = await retrieve(server, await proven(server, idpId, "dora", passwordOf("dora")));
      assert.deepEqual(read.addHumanUser.email, { email: "dora@directory.example", isVerified: false });
    });

    await t.test("a provider that is deactivated meanwhile is refused at every step", async () => {
      const opened = await openForm(server, idpId);
      const before = directory.requests.length;
      await setProviderState(server, idpId, "inactive");
      assert.match((await enterAt(opened, "ada", passwordOf("ada"))).html, /inactive or was removed/);
      assert.equal(slug(await prove(server, idpId, "ada", passwordOf("ada"))), "400 identity_intent.provider_unusable");
      assert.equal(directory.requests.length, before);
      await setProviderState(server, idpId, "active");
    });

    await t.test("another directory suspends the links of the former one, and ends attempts", async () => {
      const mallory = await startTestDirectory(t);
      mallory.entries = [{ ...entry("cleo"), password: "chosen by mallory" }];
      const opened = await openForm(server, idpId);
      const body = bodyOfDirectory(mallory);
      assert.equal((await server.rest("PUT", `/admin/v1/idps/ldap/${idpId}`, { body })).status, 200);
      assert.match((await enterAt(opened, "cleo", "chosen by mallory")).html, /inactive or was removed/);
      const answer = await prove(server, idpId, "cleo", "chosen by mallory");
      assert.equal(answer.body.idpIntent.userId ?? "", "", "the account of the other directory is nobody's");
      const former = bodyOfDirectory(directory);
      assert.equal((await server.rest("PUT", `/admin/v1/idps/ldap/${idpId}`, { body: former })).status, 200);
      assert.ok((await prove(server, idpId, "cleo", passwordOf("cleo"))).body.idpIntent.userId);
    });

    await t.test("neither events nor log nor answers contain a password", async () => {
      const events = JSON.stringify(await recordedEvents(server));
      assert.match(events, /idpintent\.succeeded/);
      assert.match(events, /instance\.idp\.ldap\.added/);
      for (const text of [events, log.join("\n")]) {
        assert.doesNotMatch(text, /secret-password-of|service-password-4711|chosen by mallory/);
      }
      const { body } = await server.rest("GET", `/v2/idps/${idpId}`);
      assert.doesNotMatch(JSON.stringify(body), /service-password/);
    });
  });
});

const pathOf = async (address: Promise<string>): Promise<string> => {
  const { pathname, search } = new URL(await address);
  return pathname + search;
};
