import assert from "node:assert/strict";
import { addApp } from "../factor/support.ts";
import { isBack, visit } from "../login/support/sign-in.ts";
import { confirm, isAsked, messagesTo } from "../login/support/sign-up.ts";
import { setProviderState } from "../support/identity-provider/identity-providers.ts";
import { startTestProvider } from "../support/identity-provider/test-provider.ts";
import { addPerson, type Person } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import { recordedEvents } from "../support/servers/recorded-events.ts";
import { addClient, redirectUri } from "../support/sign-in/sign-in-client.ts";
import { type ShownPage, TestBrowser } from "../support/sign-in/test-browser.ts";
import { appCode } from "../support/sign-in/totp.ts";
import { knowProvider } from "./attempts.ts";

const external = "/ui/login/external";

serversInTurn((start, test) => {
  test("an unknown person comes from an identity provider", async (t) => {
    const server = await start(t);
    const provider = await startTestProvider(t, () => server.clock.now);
    const both = await knowProvider(server, provider, {});
    const linkOnly = await knowProvider(server, provider, { options: { isCreationAllowed: false } });
    const registerOnly = await knowProvider(server, provider, { options: { isLinkingAllowed: false } });
    const neither = await knowProvider(server, provider, {
      options: { isCreationAllowed: false, isLinkingAllowed: false },
    });
    const auto = await knowProvider(server, provider, { options: { isAutoCreation: true } });
    await changeSettings(server, "login", { identityProviderIds: [both, linkOnly, registerOnly, neither, auto] });
    const client = await addClient(server);
    const ada = await addPerson(server, { username: "ada" });

    /** Walks from an application to the login, to a provider and back, as this user. */
    const through = async (id: string, user: object, browser = new TestBrowser(server)) => {
      provider.user = { sub: "x", given_name: "Nina", family_name: "New", email_verified: true, ...user };
      const visitor = await visit(server, client, { prompt: "login" }, browser);
      const away = await browser.submit(visitor.page, { provider: id }, { action: "/ui/login/provider" });
      const back = provider.signIn(away.address);
      const callback = back.pathname + back.search;
      return { ...visitor, callback, page: await browser.open(callback) };
    };
    const isAt = (page: ShownPage, path: string) =>
      assert.equal(new URL(page.address, server.origin).pathname, path, `${page.address}\n${page.html}`);
    const actions = (page: ShownPage) =>
      page.forms
        .map(({ action }) => new URL(action, server.origin).pathname)
        .filter((path) => path !== "/ui/login/return");
    const findByEmail = async (emailAddress: string) =>
      (await server.rest("POST", "/v2/users", { body: { queries: [{ emailQuery: { emailAddress } }] } })).body
        .result?.[0];
    const linksOf = async ({ userId }: Pick<Person, "userId">): Promise<object[]> =>
      (await server.rest("POST", `/v2/users/${userId}/links/_search`, { body: {} })).body.result ?? [];
    const enterAs = async (browser: TestBrowser, page: ShownPage, { loginName, password }: Person) => {
      const asked = await browser.submit(page, { login_name: loginName });
      return browser.submit(asked, { password }, { action: "/ui/login/password" });
    };

    await t.test("they are offered what the options of the provider allow", async () => {
      const offers: readonly [id: string, actions: string[]][] = [
        [both, [external, `${external}/existing`]],
        [registerOnly, [external]],
        [linkOnly, [`${external}/existing`]],
      ];
      for (const [id, expected] of offers) {
        const { page } = await through(id, { sub: `offer-${id}`, email: `o${id}@provider.example` });
        isAt(page, external);
        assert.deepEqual(actions(page), expected);
        assert.match(page.html, /This account is not known here/);
      }
      const { page, browser } = await through(neither, { sub: "offer-none", email: "none@provider.example" });
      assert.match(page.title, /cannot sign in this way/);
      assert.match(page.alert ?? "", /This account is not known here/);
      assert.deepEqual(actions(page), []);
      const home = await browser.submit(page, {}, { action: "/ui/login/return" });
      const answer = new URL(home.address);
      assert.equal(answer.origin + answer.pathname, redirectUri);
      assert.equal(answer.searchParams.get("error"), "access_denied");
      assert.equal(answer.searchParams.get("state"), "s1");
    });

    await t.test(
      "they register with one click when the provider says everything, and their verified address stays verified",
      async () => {
        const { page, browser, codeVerifier } = await through(both, { sub: "reg-1", email: "reg-1@provider.example" });
        assert.match(page.html, /Confirmed by the provider/);
        assert.doesNotMatch(page.html, /name="email"/);
        assert.equal(await findByEmail("reg-1@provider.example"), undefined, "looking makes nobody");
        const home = await browser.submit(page, {}, { action: external });
        assert.ok(isBack(home), home.html);
        assert.equal((await client.exchange(home.address, codeVerifier)).status, 200);
        const user = await findByEmail("reg-1@provider.example");
        assert.equal(user.human.email.isVerified, true);
        assert.equal(user.human.profile.familyName, "New");
        const again = await through(both, { sub: "reg-1", email: "other@provider.example" });
        assert.ok(isBack(again.page), "known from now on");
      },
    );

    await t.test(
      "only what is missing is asked for, and an address of their own is not verified by the provider",
      async () => {
        const { page, browser } = await through(both, { sub: "reg-2", family_name: undefined, email: undefined });
        assert.match(page.html, /name="family_name"/);
        assert.match(page.html, /name="email"/);
        assert.doesNotMatch(page.html, /name="given_name"/);
        const empty = await browser.submit(page, {}, { action: external });
        assert.match(empty.alert ?? "", /last name[\s\S]*email address/);
        const entered = { family_name: "Own", email: "reg-2@mail.example" };
        const asked = await browser.submit(empty, entered, { action: external });
        assert.equal(await findByEmail("reg-2@mail.example"), undefined, "nobody before the code");
        assert.ok(isAsked(await browser.copy().submit(empty, entered, { action: external })), "sent twice");
        assert.match((await browser.submit(asked, { code: "AAAAAA" })).alert ?? "", /not valid/);
        const home = await confirm(server, browser, asked, "reg-2@mail.example");
        assert.ok(isBack(home), home.title);
        const user = await findByEmail("reg-2@mail.example");
        assert.deepEqual([user.human.profile.givenName, user.human.profile.familyName], ["Nina", "Own"]);
        assert.ok(user.human.email.isVerified, "the code has proven it");
        assert.equal((await linksOf(user)).length, 1);
        assert.ok(isBack((await through(both, { sub: "reg-2", email: undefined })).page), "known from now on");
      },
    );

    await t.test(
      "whether an address that they enter has an account is not revealed; where names are revealed, it is",
      async () => {
        for (const [given, isTyped] of [
          [{ email: undefined }, true],
          [{ email: "ada@mail.example", email_verified: false }, false],
        ] as const) {
          const { page, browser } = await through(both, { sub: "probe", ...given });
          assert.equal(page.alert, undefined);
          const typed = isTyped ? { email: "ada@mail.example" } : {};
          const asked = await browser.submit(page, typed, { action: external });
          assert.ok(isAsked(asked), asked.title);
          assert.match((await browser.submit(asked, { code: "AAAAAA" })).alert ?? "", /not valid/);
          const [message] = await messagesTo(server, "ada@mail.example");
          assert.equal(message?.kind, "account_known");
        }
        const made = await through(auto, { sub: "probe-auto", email: "ada@mail.example", email_verified: false });
        assert.ok(isAsked(made.page), made.page.title);
        const free = await through(auto, { sub: "free-auto", email: "free-auto@mail.example", email_verified: false });
        assert.ok(isAsked(free.page), free.page.title);
        assert.ok(isBack(await confirm(server, free.browser, free.page, "free-auto@mail.example")));
        assert.deepEqual(await linksOf(ada), []);
        await changeSettings(server, "login", { ignoreUnknownUsernames: false });
        const told = await through(both, { sub: "probe", email: undefined });
        const refused = await told.browser.submit(told.page, { email: "ada@mail.example" }, { action: external });
        assert.match(refused.alert ?? "", /account with this email address already exists/);
        const own = await told.browser.submit(refused, { email: "reg-off@mail.example" }, { action: external });
        assert.ok(isBack(own), own.title);
        assert.ok(!(await findByEmail("reg-off@mail.example")).human.email.isVerified);
        await changeSettings(server, "login", { ignoreUnknownUsernames: true });
      },
    );

    // CVE-2025-7365: the address in the form is not the one that was verified.
    await t.test("a proven address that is replaced in the form is no longer proven", async () => {
      const { page, browser } = await through(both, { sub: "reg-3", email: "reg-3@provider.example" });
      const asked = await browser.submit(page, { email: "victim@mail.example" }, { action: external });
      assert.ok(isAsked(asked), asked.title);
      assert.equal(await findByEmail("victim@mail.example"), undefined);
      const taken = await through(auto, { sub: "reg-4", email: "ada@mail.example" });
      isAt(taken.page, external);
      assert.match(taken.page.alert ?? "", /account with this email address already exists/);
      assert.match(taken.page.html, /name="email"/, "another one can be given");
      const still = await taken.browser.submit(taken.page, { email: "ada@mail.example" }, { action: external });
      assert.match(still.alert ?? "", /account with this email address already exists/);
      assert.deepEqual(await linksOf(ada), []);
    });

    await t.test("a form that was sent twice, and the page gone back to, make one user", async () => {
      const { page, browser } = await through(both, { sub: "reg-5", email: "reg-5@provider.example" });
      const tab = browser.copy();
      assert.ok(isBack(await browser.submit(page, {}, { action: external })));
      const second = await tab.submit(page, {}, { action: external });
      assert.ok(second.status < 500 && !isBack(second), second.html);
      const later = await browser.open(page.address);
      assert.ok(later.status < 500, later.html);
      const { body } = await server.rest("POST", "/v2/users", {
        body: { queries: [{ emailQuery: { emailAddress: "reg-5@provider.example" } }] },
      });
      assert.equal(body.result.length, 1);
    });

    await t.test("a person with an account signs in with it first, and may still decline", async () => {
      const { page, browser } = await through(both, { sub: "ada-there", email: "elsewhere@provider.example" });
      const name = await browser.submit(page, {}, { action: `${external}/existing` });
      isAt(name, "/ui/login");
      assert.match(name.html, /want to link to/);
      assert.deepEqual(await linksOf(ada), [], "a wish links nothing");
      const asked = await enterAs(browser, name, ada);
      isAt(asked, `${external}/link`);
      assert.deepEqual(await linksOf(ada), [], "nor does signing in alone");
      const skipped = await browser.submit(asked, { decision: "skip" }, { action: `${external}/link` });
      assert.ok(isBack(skipped), skipped.html);
      await browser.submit(asked, { decision: "link" }, { action: `${external}/link` });
      assert.deepEqual(await linksOf(ada), [], "who did not want it is not asked again");
    });

    await t.test("the link is made by the press that asks for it, once", async () => {
      const { page, browser } = await through(both, { sub: "ada-2", email: "ada-2@provider.example" });
      const asked = await enterAs(browser, await browser.submit(page, {}, { action: `${external}/existing` }), ada);
      const linked = await browser.submit(asked, { decision: "link" }, { action: `${external}/link` });
      isAt(linked, external);
      assert.match(linked.title, /Accounts linked/);
      assert.ok((await linksOf(ada)).some((link) => "userId" in link && link.userId === "ada-2"));
      const twice = await browser.submit(asked, { decision: "link" }, { action: `${external}/link` });
      assert.match(twice.title, /Accounts linked/, "sent twice it tells the same");
      const next = /<a class="button primary" href="([^"]+)"/.exec(linked.html)?.[1] ?? "";
      assert.ok(isBack(await browser.open(next)), "and the application gets its answer");
      const known = await through(both, { sub: "ada-2", email: "ada-2@provider.example" });
      assert.ok(isBack(known.page));
      const types = (await recordedEvents(server)).map(({ type }) => type);
      assert.ok(types.includes("user.human.externalidp.added"));
    });

    // CVE-2026-105207: naming a user, or an earlier session, proves nothing.
    await t.test("no account is linked unless its user has just authenticated", async () => {
      const eve = await addPerson(server, { username: "eve" });
      const browser = new TestBrowser(server);
      const before = await browser.open("/ui/login?account=other");
      await enterAs(browser, before, eve);
      server.clock.now += 60_000;
      const { page } = await through(both, { sub: "thief", email: "thief@provider.example" }, browser);
      const intent = new URL(page.address, server.origin).search;
      await browser.submit(page, {}, { action: `${external}/existing` });
      const early = await browser.open(`${external}/link${intent}`);
      isAt(early, "/ui/login");
      await browser.submit(early, { login_name: ada.loginName });
      isAt(await browser.open(`${external}/link${intent}`), "/ui/login");
      assert.deepEqual(await linksOf(eve), []);
      assert.ok(!(await linksOf(ada)).some((link) => "userId" in link && link.userId === "thief"));
    });

    // In a browser left open, knowing a password must not suffice where the account page asks for both factors.
    await t.test("a second factor from before is no proof for a link", async () => {
      const max = await addPerson(server, { username: "max" });
      const secret = await addApp(server, max, (made) => appCode(made, server.clock.now));
      const isSecond = (page: ShownPage) => assert.match(page.title, /^Enter the code from your app/, page.address);
      const browser = new TestBrowser(server);
      const asked = await enterAs(browser, await browser.open("/ui/login?account=other"), max);
      isSecond(asked);
      isAt(await browser.submit(asked, { code: appCode(secret, server.clock.now) }), "/ui/login/signed-in");
      server.clock.now += 60_000;
      const { page } = await through(both, { sub: "thief-2", email: "thief-2@provider.example" }, browser);
      const intent = new URL(page.address, server.origin).search;
      const name = await browser.submit(page, {}, { action: `${external}/existing` });
      // Neither for the request, nor beside it, where the login asks for less.
      const tab = await browser.open("/ui/login?account=other");
      await browser.submit(tab, { login_name: max.loginName }, { action: "/ui/login" });
      const form = { action: "/ui/login/password", values: tab.forms[0]?.values.slice(0, 1) ?? [] };
      isAt(await browser.submit({ ...tab, forms: [form] }, { password: max.password }), "/ui/login/signed-in");
      isAt(await browser.open(`${external}/link${intent}`), "/ui/login");
      isSecond(await enterAs(browser, await browser.open(name.address), max));
      isAt(await browser.open(`${external}/link${intent}`), "/ui/login");
      const second = await browser.open(`/ui/login/second-factor${intent}`);
      const question = await browser.submit(second, { code: appCode(secret, server.clock.now) });
      isAt(question, `${external}/link`);
      await browser.submit(question, { decision: "link" }, { action: `${external}/link` });
      assert.equal((await linksOf(max)).length, 1);
    });

    await t.test("an attempt is of its browser, and of an active provider, to the end", async () => {
      const { page, browser } = await through(both, { sub: "late", email: "late@provider.example" });
      const stranger = await new TestBrowser(server).open(page.address);
      assert.equal(stranger.status, 400, "the request is of another browser");
      await setProviderState(server, both, "inactive");
      const refused = await browser.submit(page, {}, { action: external });
      assert.match(refused.alert ?? "", /inactive or was removed/);
      await setProviderState(server, both, "active");
      assert.equal(await findByEmail("late@provider.example"), undefined);
      server.clock.now += 3_700_000;
      const old = await browser.open(page.address);
      assert.ok(old.status === 400 || old.address.startsWith("/ui/login"), old.html);
      assert.equal(await findByEmail("late@provider.example"), undefined);
    });

    await t.test("canceled, failed, unreachable: a page with every way on, even after a reload", async () => {
      const browser = new TestBrowser(server);
      const first = await visit(server, client, {}, browser);
      const away = await browser.submit(first.page, { provider: both }, { action: "/ui/login/provider" });
      const back = provider.signIn(away.address);
      back.searchParams.delete("code");
      back.searchParams.set("error", "access_denied");
      const cancelled = await browser.open(back.pathname + back.search);
      assert.match(cancelled.title, /canceled/);
      assert.match((await browser.open(back.pathname + back.search)).title, /canceled/, "reloaded");
      provider.claims = { nonce: "another" };
      const again = await browser.submit(cancelled, {}, { action: "/ui/login/provider" });
      const wrong = provider.signIn(again.address);
      const failed = await browser.open(wrong.pathname + wrong.search);
      provider.claims = {};
      assert.match(failed.title, /failed/);
      assert.match(failed.alert ?? "", /token of the identity provider cannot be accepted/);
      const other = /<a href="(\/ui\/login[^"]*)">Sign in another way/.exec(failed.html)?.[1] ?? "";
      const local = await enterAs(browser, await browser.open(other.replaceAll("&amp;", "&")), ada);
      assert.ok(isBack(local), local.html);
    });

    await t.test("an answer that comes late, twice or to another browser is told apart", async () => {
      const begin = async () => {
        const visitor = await visit(server, client, { prompt: "login" });
        provider.user = { sub: "reg-1", email: "x@provider.example" };
        const away = await visitor.browser.submit(visitor.page, { provider: both }, { action: "/ui/login/provider" });
        const back = provider.signIn(away.address);
        return { ...visitor, callback: back.pathname + back.search };
      };
      const one = await begin();
      const stranger = await new TestBrowser(server).open(one.callback);
      assert.equal(stranger.status, 400);
      assert.match(stranger.title, /another browser/);
      const tab = one.browser.copy();
      assert.ok(isBack(await one.browser.open(one.callback)));
      const second = await tab.open(one.callback);
      assert.match(second.title, /already completed/);
      const two = await begin();
      server.clock.now += 1_801_000;
      const late = await two.browser.open(two.callback);
      assert.equal(late.status, 400);
      assert.match(late.title, /took too long/);
    });
  });
});
