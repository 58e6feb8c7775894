import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../src/database/index.ts";
import { isBack, visit } from "../login/support/sign-in.ts";
import { isAsked } from "../login/support/sign-up.ts";
import { fetch } from "../support/http/fetch.ts";
import { setProviderState } from "../support/identity-provider/identity-providers.ts";
import { startTestProvider } from "../support/identity-provider/test-provider.ts";
import { addOrganization, addPerson, appoint } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { eachServer } from "../support/servers/each-server.ts";
import { recordedEvents } from "../support/servers/recorded-events.ts";
import { addClient } from "../support/sign-in/sign-in-client.ts";
import { type ShownPage, TestBrowser } from "../support/sign-in/test-browser.ts";
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

    /** Presses the button of a provider, signs in there as this user, and comes back. */
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

    await t.test("a new person becomes a user once, and is recognized from then on", async () => {
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

    await t.test("an unproven address makes a user whose address is not proven (CVE-2026-56666)", async () => {
      const unproven = { sub: "new-2", email: "new-2@provider.example", email_verified: "true" };
      const asked = await through(auto, unproven);
      assert.ok(isAsked(asked.page), "nobody is made before the code of a message, where names are not told");
      assert.deepEqual(await findByEmail("new-2@provider.example"), []);
      await changeSettings(server, "login", { ignoreUnknownUsernames: false });
      const { page } = await through(auto, unproven);
      await changeSettings(server, "login", { ignoreUnknownUsernames: true });
      assert.ok(signedIn(page), page.title);
      const [user] = await findByEmail("new-2@provider.example");
      assert.ok(!user.human.email.isVerified);
    });

    await t.test("addresses tie accounts only when both sides have proven them", async () => {
      const ada = await addPerson(server, { username: "ada" });
      const eve = await addPerson(server, { username: "eve" });
      const unproven = { email: "eve-new@mail.example", isVerified: false };
      await server.rest("POST", `/v2/users/${eve.userId}/email`, { body: unproven });
      const unsaid = await through(byEmail, { sub: "a", email: "ada@mail.example", email_verified: false });
      assert.match(unsaid.page.html, /This account is not known here/);
      // Pre-hijacking: an attacker registered the victim's address here without proving it (CVE-2026-53516).
      const prepared = await through(byEmail, { sub: "e", email: "eve-new@mail.example" });
      assert.match(prepared.page.html, /This account is not known here/);
      assert.deepEqual([...(await links(ada.userId)), ...(await links(eve.userId))], []);
      const otherName = await through(byName, { sub: "n", email: "ada@mail.example", preferred_username: "somebody" });
      assert.match(otherName.page.html, /not known here/);
      const proven = await through(byEmail, { sub: "a", email: "ada@mail.example" });
      assert.ok(signedIn(proven.page), proven.page.html);
      assert.equal((await links(ada.userId)).length, 1);
      const named = await through(byName, { sub: "n", email: "ada@mail.example", preferred_username: "ada" });
      assert.ok(signedIn(named.page), named.page.html);
      // nOAuth: the account at the provider is the user, whatever address it has by now.
      const renamed = { given_name: "Renamed", family_name: "Elsewhere", nickname: "re", name: "Renamed Elsewhere" };
      const { profile } = (await findByEmail("ada@mail.example"))[0].human;
      const moved = await through(byEmail, { ...renamed, sub: "a", email: "eve@mail.example" });
      assert.ok(signedIn(moved.page));
      assert.match((await moved.browser.open("/")).html, /ada/i);
      const [after] = await findByEmail("ada@mail.example");
      assert.deepEqual(
        [after.userId, after.human.profile],
        [ada.userId, profile],
        "without the option no name changes",
      );
    });

    await t.test("the provider of an organization links no user who administers more than that", async () => {
      const organizationId = await addOrganization(server, "Ruled");
      const owner = await addPerson(server, { username: "org-owner", organizationId });
      const boss = await addPerson(server, { username: "boss", organizationId });
      await appoint(server, owner, { organizationId }, ["ORG_OWNER"]);
      await appoint(server, boss, { instance: true }, ["IAM_OWNER_VIEWER"]);
      const own = await knowProvider(server, provider, { organizationId, options: { autoLinking: "email" } });
      await changeSettings(server, "login", { identityProviderIds: [own] }, organizationId);
      for (const [{ userId }, username, isTied] of [
        [owner, "org-owner", true],
        [boss, "boss", false],
      ] as const) {
        provider.user = { ...person, sub: `of-${username}`, email: `${username}@mail.example` };
        const browser = new TestBrowser(server);
        const page = await browser.open(`/ui/login?account=other&organization=${organizationId}`);
        const away = await browser.submit(page, { provider: own }, { action: "/ui/login/provider" });
        const back = provider.signIn(away.address);
        // The address alone names the organization, so the user is asked.
        const asked = await browser.open(back.pathname + back.search);
        assert.ok(!signedIn(asked));
        const end = isTied ? await browser.submit(asked, {}, { action: "/ui/login/external" }) : asked;
        assert.equal(signedIn(end), isTied, end.html);
        assert.equal((await links(userId)).length, isTied ? 1 : 0);
      }
    });

    await t.test("the address of an existing user does not create a new user", async () => {
      const { page } = await through(auto, { sub: "dup", email: "ada@mail.example" });
      assert.match(page.alert ?? "", /account with this email address already exists/);
      const nameless = await through(auto, { sub: "x", email: undefined });
      assert.match(nameless.page.html, /name="email"/, "what the provider does not say is asked");
      const unknown = await through(closed, { sub: "y", email: "y@provider.example" });
      assert.match(unknown.page.html, /This account is not known here/);
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

    // OAuth 2.0 Form Post Response Mode: the post comes without our cookie (SameSite=Lax).
    await t.test("an answer that is posted waits, sealed, for the browser that was sent there", async () => {
      const browser = new TestBrowser(server);
      provider.user = { ...person, sub: "new-1" };
      const page = await browser.open("/ui/login?account=other");
      const away = await browser.submit(page, { provider: auto }, { action: "/ui/login/provider" });
      const { searchParams } = provider.signIn(away.address);
      const [code, state] = [searchParams.get("code") ?? "", searchParams.get("state") ?? ""];
      const post = (body: Record<string, string>, headers: Record<string, string> = {}) =>
        fetch(`${server.origin}/idps/callback`, {
          method: "POST",
          redirect: "manual",
          body: new URLSearchParams(body),
          headers: { "sec-fetch-site": "cross-site", origin: provider.issuer, ...headers },
        });
      const kept = async () => {
        const { read } = server.app.domain.database;
        const sealed = sql`select sealed_answer as "sealed" from identity_intents where sealed_answer is not null`;
        return (await read.all<{ sealed: string }>(sealed)).map((row) => row.sealed);
      };
      const early = `/idps/callback?state=${state}`;
      assert.match((await browser.open(early)).title, /not valid any more|expired/i, "nothing was posted yet");
      const posted = await post({ code, state, iss: provider.issuer });
      assert.equal(posted.status, 303);
      assert.equal(posted.headers.get("location"), early);
      assert.equal(posted.headers.get("set-cookie"), null);
      const [sealed, ...others] = await kept();
      assert.ok(sealed !== undefined && others.length === 0 && !sealed.includes(code));
      // The first answer stays.
      await Promise.all([post({ code: "another", state }), post({ error: "access_denied", state })]);
      assert.deepEqual(await kept(), [sealed]);
      for (const body of [{ code }, { state }, { code, state, error: "x" }]) {
        assert.equal((await post(body as Record<string, string>)).status, 400, JSON.stringify(body));
      }
      assert.equal((await post({ code, state }, { "content-type": "text/plain" })).status, 400);
      assert.equal((await new TestBrowser(server).open(early)).status, 400);
      assert.ok(signedIn(await browser.open(early)));
      assert.deepEqual(await kept(), []);
      await post({ code: "late", state });
      assert.deepEqual(await kept(), [], "what is over keeps nothing");
      assert.doesNotMatch(JSON.stringify(await recordedEvents(server)), new RegExp(code));
    });

    await t.test("a user who has to authenticate again has to do so at the provider", async () => {
      const minute = 60_000;
      const ago = (milliseconds: number) => Math.floor((server.clock.now - milliseconds) / 1000);
      const rows: readonly [name: string, path: string, sent: Record<string, string>, stale: number, fresh: number][] =
        [
          [
            "a page that changes ways in",
            "/ui/login?goal=account-passkey",
            { max_age: "300" },
            10 * minute,
            4 * minute,
          ],
          ["max_age", client.start({ max_age: "3600" }).path, { max_age: "3600" }, 70 * minute, 50 * minute],
          ["prompt=login", client.start({ prompt: "login" }).path, { prompt: "login" }, 5 * minute, 0],
        ];
      for (const [name, path, sent, stale, fresh] of rows) {
        for (const [authTime, isTaken] of [
          [ago(stale), false],
          [ago(fresh), true],
          [undefined, true],
        ] as const) {
          const browser = new TestBrowser(server);
          const page = await browser.open(path);
          provider.user = { ...person, sub: "new-1", email: "new-1@provider.example" };
          provider.claims = { auth_time: authTime };
          const away = await browser.submit(page, { provider: auto }, { action: "/ui/login/provider" });
          const asked = new URL(away.address).searchParams;
          for (const [parameter, value] of Object.entries(sent)) assert.equal(asked.get(parameter), value, name);
          const back = provider.signIn(away.address);
          const end = await browser.open(back.pathname + back.search);
          assert.equal(
            !end.address.startsWith("/ui/login"),
            isTaken,
            `${name} ${authTime}: ${end.address} ${end.html}`,
          );
        }
      }
      provider.claims = {};
    });

    await t.test("a refusal by the provider is shown", async () => {
      const browser = new TestBrowser(server);
      const page = await browser.open("/ui/login");
      const away = await browser.submit(page, { provider: auto }, { action: "/ui/login/provider" });
      const back = provider.signIn(away.address);
      back.searchParams.delete("code");
      back.searchParams.set("error", "access_denied");
      const shown = await browser.open(back.pathname + back.search);
      assert.match(shown.alert ?? "", /canceled or refused/);
      const [, reference = ""] = /<dl class="hint"><div><dt>[^<]*<\/dt><dd><code>([^<]+)/.exec(shown.html) ?? [];
      const { body } = await server.rest("GET", `/v2/sign_in_attempts/${reference}`);
      const [{ check, outcome, identityProviderId }] = body.attempt.steps;
      assert.deepEqual(
        [check, outcome, identityProviderId],
        ["SIGN_IN_CHECK_IDENTITY_PROVIDER", "SIGN_IN_OUTCOME_CANCELED", auto],
      );
    });

    await t.test("users and providers that became inactive sign no user in", async () => {
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
      server.clock.now += 10_000;
    });

    await t.test("a second factor is required after external sign-ins, unless only after local ones", async () => {
      await changeSettings(server, "login", { forceMfaLocalOnly: true });
      assert.ok(signedIn((await through(auto, { sub: "new-1" })).page));
      await changeSettings(server, "login", { forceMfa: true });
      assert.match((await through(auto, { sub: "new-1" })).page.title, /^Protect your account/);
      await changeSettings(server, "login", { forceMfa: false, forceMfaLocalOnly: false });
    });

    await t.test("no button where sign-in by other servers is not allowed", async () => {
      await changeSettings(server, "login", { allowExternalIdp: false });
      const page = await new TestBrowser(server).open("/ui/login");
      assert.equal(page.forms.filter(({ action }) => action.includes("/ui/login/provider")).length, 0);
    });
  });
});
