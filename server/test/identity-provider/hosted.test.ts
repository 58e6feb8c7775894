import assert from "node:assert/strict";
import { test } from "node:test";
import { isBack, visit } from "../login/support/sign-in.ts";
import { changeSettings } from "../support/change-settings.ts";
import { eachServer } from "../support/each-server.ts";
import { setProviderState } from "../support/identity-providers.ts";
import { addPerson } from "../support/people.ts";
import { recordedEvents } from "../support/recorded-events.ts";
import { addClient } from "../support/sign-in-client.ts";
import { type ShownPage, TestBrowser } from "../support/test-browser.ts";
import { startTestProvider } from "../support/test-provider.ts";
import { knowProvider } from "./attempts.ts";

eachServer((start) => {
  test("signing in with an identity provider on the hosted pages", async (t) => {
    const server = await start(t);
    const provider = await startTestProvider(t, () => server.clock.now);
    const known = (options: object) => knowProvider(server, provider, { options });
    const auto = await known({ isAutoCreation: true, isAutoUpdate: true });
    const byEmail = await known({ autoLinking: "email", isAutoCreation: false });
    const byName = await known({ autoLinking: "username" });
    const closed = await known({});
    await changeSettings(server, "login", { identityProviderIds: [auto, byEmail, byName, closed] });
    const client = await addClient(server);
    const person = provider.user;

    /** Presses the button of a provider, signs in there as somebody, and comes back. */
    const through = async (id: string, user: object, browser = new TestBrowser(server)) => {
      provider.user = { ...person, ...user };
      const page = await browser.open("/ui/login?account=other");
      const away = await browser.submit(page, { provider: id }, { action: "/ui/login/provider" });
      const back = provider.signIn(away.address);
      return { browser, back, page: await browser.open(back.pathname + back.search) };
    };
    const signedIn = (page: ShownPage) => page.address === "/ui/login/signed-in";
    const links = async (userId: string) =>
      (await server.rest("POST", `/v2/users/${userId}/links/_search`, { body: {} })).body.result ?? [];
    const findByEmail = async (emailAddress: string) =>
      (await server.rest("POST", "/v2/users", { body: { queries: [{ emailQuery: { emailAddress } }] } })).body.result ??
      [];

    await t.test("the login offers the providers of its settings, and an application gets its code", async () => {
      const { browser, page, codeVerifier } = await visit(server, client);
      assert.match(page.html, /Continue with <bdi[^>]*>Test provider|Continue with/);
      assert.equal(page.forms.filter(({ action }) => action.includes("/ui/login/provider")).length, 4);
      provider.user = { ...person, sub: "new-1", email: "new-1@provider.example" };
      const away = await browser.submit(page, { provider: auto }, { action: "/ui/login/provider" });
      assert.ok(away.address.startsWith(`${provider.issuer}/authorize`), away.html);
      const before = new Map(browser.cookies);
      const back = provider.signIn(away.address);
      const home = await browser.open(back.pathname + back.search);
      assert.ok(isBack(home), home.html);
      assert.notDeepEqual(browser.cookies, before, "the browser gets another secret");
      const { status, body } = await client.exchange(home.address, codeVerifier);
      assert.equal(status, 200, JSON.stringify(body));
    });

    await t.test("somebody new becomes a user once, and is known from then on", async () => {
      const [user] = await findByEmail("new-1@provider.example");
      assert.equal(user.human.email.isVerified, true);
      assert.deepEqual(await links(user.userId), [
        { idpId: auto, userId: "new-1", userName: "new-1@provider.example" },
      ]);
      const again = await through(auto, { sub: "new-1", email: "elsewhere@provider.example", given_name: "Renamed" });
      assert.ok(signedIn(again.page), again.page.html);
      const [after] = await findByEmail("new-1@provider.example");
      assert.equal(after.human.profile.givenName, "Renamed", "names are taken over");
      assert.equal(after.userId, user.userId, "the address is not: it would be somebody else's name");
      assert.equal((await links(user.userId))[0].userName, "elsewhere@provider.example");
      const types = (await recordedEvents(server)).map(({ type }) => type);
      assert.ok(types.includes("user.human.externallogin.check.succeeded"));
      assert.ok(types.includes("user.human.externalidp.username.changed"));
    });

    await t.test("an unproven address makes a user whose address is not proven", async () => {
      const { page } = await through(auto, { sub: "new-2", email: "new-2@provider.example", email_verified: "true" });
      assert.ok(signedIn(page), page.html);
      const [user] = await findByEmail("new-2@provider.example");
      assert.ok(!user.human.email.isVerified);
    });

    await t.test("addresses tie accounts only when both sides have proven them", async () => {
      const ada = await addPerson(server, { username: "ada" });
      const eve = await addPerson(server, { username: "eve" });
      const unproven = { email: "eve-new@mail.example", isVerified: false };
      await server.rest("POST", `/v2/users/${eve.userId}/email`, { body: unproven });
      const unsaid = await through(byEmail, { sub: "a", email: "ada@mail.example", email_verified: false });
      assert.match(unsaid.page.html, /Nobody here has this account/);
      // Pre-hijack: somebody registered the victim's address here and never proved it (CVE-2026-53516).
      const prepared = await through(byEmail, { sub: "e", email: "eve-new@mail.example" });
      assert.match(prepared.page.html, /Nobody here has this account/);
      assert.deepEqual([...(await links(ada.userId)), ...(await links(eve.userId))], []);
      const otherName = await through(byName, { sub: "n", email: "ada@mail.example", preferred_username: "somebody" });
      assert.match(otherName.page.html, /Nobody here/);
      const proven = await through(byEmail, { sub: "a", email: "ada@mail.example" });
      assert.ok(signedIn(proven.page), proven.page.html);
      assert.equal((await links(ada.userId)).length, 1);
      const named = await through(byName, { sub: "n", email: "ada@mail.example", preferred_username: "ada" });
      assert.ok(signedIn(named.page), named.page.html);
      // nOAuth: the account at the provider is the person, whatever address it has by now.
      const moved = await through(byEmail, { sub: "a", email: "eve@mail.example" });
      assert.ok(signedIn(moved.page));
      assert.match((await moved.browser.open("/")).html, /ada/i);
    });

    await t.test("an address that is somebody's makes nobody new", async () => {
      const { page } = await through(auto, { sub: "dup", email: "ada@mail.example" });
      assert.match(page.alert ?? "", /has this e-mail address already/);
      const nameless = await through(auto, { sub: "x", email: undefined });
      assert.match(nameless.page.html, /name="email"/, "what the provider does not say is asked");
      const unknown = await through(closed, { sub: "y", email: "y@provider.example" });
      assert.match(unknown.page.html, /Nobody here has this account/);
    });

    await t.test("only the browser that was sent there comes back (CVE-2023-27490)", async () => {
      const browser = new TestBrowser(server);
      provider.user = { ...person, sub: "new-1" };
      const page = await browser.open("/ui/login?account=other");
      const away = await browser.submit(page, { provider: auto }, { action: "/ui/login/provider" });
      const back = provider.signIn(away.address);
      for (const other of [new TestBrowser(server), (await through(auto, { sub: "new-1" })).browser]) {
        const shown = await other.open(back.pathname + back.search);
        assert.equal(shown.status, 400);
      }
      assert.ok(signedIn(await browser.open(back.pathname + back.search)));
      const second = await browser.open(back.pathname + back.search);
      assert.match(second.address, /^\/ui\/login\/signed-in/, "and once: then it tells where he is");
    });

    await t.test("what the provider refuses is said", async () => {
      const browser = new TestBrowser(server);
      const page = await browser.open("/ui/login");
      const away = await browser.submit(page, { provider: auto }, { action: "/ui/login/provider" });
      const back = provider.signIn(away.address);
      back.searchParams.delete("code");
      back.searchParams.set("error", "access_denied");
      const shown = await browser.open(back.pathname + back.search);
      assert.match(shown.alert ?? "", /cancelled or refused/);
    });

    await t.test("users and providers that are inactive by now sign nobody in", async () => {
      const browser = new TestBrowser(server);
      const page = await browser.open("/ui/login?account=other");
      provider.user = { ...person, sub: "new-1" };
      const away = await browser.submit(page, { provider: auto }, { action: "/ui/login/provider" });
      await setProviderState(server, auto, "inactive");
      const back = provider.signIn(away.address);
      assert.match((await browser.open(back.pathname + back.search)).alert ?? "", /inactive or was removed/);
      const without = await browser.submit(page, { provider: auto }, { action: "/ui/login/provider" });
      assert.match(without.address, /^\/ui\/login/);
      await setProviderState(server, auto, "active");
      const [user] = await findByEmail("new-1@provider.example");
      await server.rest("POST", `/v2/users/${user.userId}/deactivate`, { body: {} });
      assert.match((await through(auto, { sub: "new-1" })).page.alert ?? "", /not active/);
      await server.rest("POST", `/v2/users/${user.userId}/reactivate`, { body: {} });
    });

    await t.test("a second factor is demanded after external sign-ins, unless only after local ones", async () => {
      await changeSettings(server, "login", { forceMfaLocalOnly: true });
      assert.ok(signedIn((await through(auto, { sub: "new-1" })).page));
      await changeSettings(server, "login", { forceMfa: true });
      assert.match((await through(auto, { sub: "new-1" })).page.title, /^Protect your account/);
      await changeSettings(server, "login", { forceMfa: false, forceMfaLocalOnly: false });
    });

    await t.test("no button where nobody may sign in by other servers", async () => {
      await changeSettings(server, "login", { allowExternalIdp: false });
      const page = await new TestBrowser(server).open("/ui/login");
      assert.equal(page.forms.filter(({ action }) => action.includes("/ui/login/provider")).length, 0);
    });
  });
});
