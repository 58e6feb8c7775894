import assert from "node:assert/strict";
import { sql } from "../../src/database/index.ts";
import { callUser } from "../factor/support.ts";
import { addStaff, bodyAt, createTrust } from "../identity-provider/trusted.ts";
import { goOn } from "../login/support/second-factors.ts";
import { signedIn } from "../login/support/sign-in.ts";
import { startTestProvider, type TestProvider } from "../support/identity-provider/test-provider.ts";
import { addPerson, appoint, type Person } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";
import { type ShownPage, TestBrowser } from "../support/sign-in/test-browser.ts";
import { appCode } from "../support/sign-in/totp.ts";

const setUpPath = "/ui/login/add-factor";
const over = "This sign-in has ended";
const minute = 60_000;
const other = "an entirely different password 77";

/** Begins a sign-in at a provider; the browser waits where it ends. */
async function begin(provider: TestProvider, idp: string, sub: string, browser: TestBrowser, at = "") {
  const first = await browser.open(`/ui/login?account=other${at}`);
  provider.user = { sub, email: "x@provider.example", email_verified: true };
  const away = await browser.submit(first, { provider: idp }, { action: "/ui/login/provider" });
  const back = provider.signIn(away.address);
  return browser.open(back.pathname + back.search);
}

/** Opens the page that sets up an app; returns it with the secret. */
async function openApp(browser: TestBrowser, page: ShownPage): Promise<{ shown: ShownPage; secret: string }> {
  const shown = await browser.submit(page, { kind: "totp" }, { action: setUpPath });
  const secret = (/<code>([A-Z2-7 ]+)<\/code>/.exec(shown.html)?.[1] ?? "").replaceAll(" ", "");
  return { shown, secret };
}

/** Adds an app and goes on to where that leads. */
async function addApp(server: TestServer, browser: TestBrowser, page: ShownPage): Promise<ShownPage> {
  const { shown, secret } = await openApp(browser, page);
  assert.notEqual(secret, "", shown.html);
  const code = appCode(secret, server.clock.now);
  return goOn(browser, await browser.submit(shown, { code }, { action: "/add-factor/totp" }));
}

const read = (server: TestServer, userId: string) => ({
  methods: async (): Promise<readonly string[]> => {
    const { authMethodTypes = [] } = await callUser(server, "ListAuthenticationMethodTypes", { userId });
    return authMethodTypes.filter((type: string) => type.includes("TOTP") || type.includes("RECOVERY"));
  },
  sessions: async (): Promise<number> => {
    const live = await server.app.domain.database.read.all(
      sql`select session_id from sessions where user_id = ${userId} and terminated_at is null`,
    );
    return live.length;
  },
});

const post = async (server: TestServer, path: string, body: object = {}): Promise<void> => {
  const answer = await server.rest("POST", path, { body });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
};
const remove = async (server: TestServer, path: string): Promise<void> => {
  const answer = await server.rest("DELETE", path, {});
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
};

interface Closing {
  readonly server: TestServer;
  readonly vera: Person;
  readonly walt: Person;
  readonly idp: string;
  readonly own: TestBrowser;
}

/** What ends the sign-ins of a user that are under way, with their sessions. */
const closings: Readonly<Record<string, (input: Closing) => Promise<void>>> = {
  "a lock": async ({ server, vera }) => {
    await post(server, `/v2/users/${vera.userId}/lock`);
    await post(server, `/v2/users/${vera.userId}/unlock`);
  },
  "a deactivation": async ({ server, vera }) => {
    await post(server, `/v2/users/${vera.userId}/deactivate`);
    await post(server, `/v2/users/${vera.userId}/reactivate`);
  },
  "a new password": async ({ server, vera }) => {
    await post(server, `/v2/users/${vera.userId}/password`, { newPassword: { password: other } });
  },
  "signing out everywhere": async ({ own }) => {
    const page = await own.open("/ui/account/sessions");
    await own.submit(page, {}, { action: "/sessions/end-others" });
    // Also where no other session is left that would end.
    const again = await own.submit(page, {}, { action: "/sessions/end-others" });
    assert.equal(again.status, 200, again.html);
  },
  "the removal of the link": ({ server, vera, idp }) =>
    remove(server, `/v2/users/${vera.userId}/links/${idp}/${vera.userId}`),
};

/** What leaves them alone. */
const others: Readonly<Record<string, (input: Closing) => Promise<void>>> = {
  "a lock of another user": async ({ server, walt }) => {
    await post(server, `/v2/users/${walt.userId}/lock`);
    await post(server, `/v2/users/${walt.userId}/unlock`);
  },
  "a change of the profile": async ({ server, vera }) => {
    await callUser(server, "SetPhone", { userId: vera.userId, phone: "+41791234567", isVerified: true });
  },
};

serversInTurn((start, test) => {
  test("what ends the sessions of a user ends their sign-ins under way", async (t) => {
    const server = await start(t);
    const provider = await startTestProvider(t, () => server.clock.now);
    const trust = createTrust(server);
    const idp = await trust.addTo("", undefined, bodyAt(provider));
    for (const [index, [name, close]] of Object.entries({ ...closings, ...others }).entries()) {
      await t.test(name, async () => {
        await changeSettings(server, "login", { forceMfa: false, identityProviderIds: [idp] });
        const vera = await addPerson(server, { username: `vera-${index}` });
        const walt = await addPerson(server, { username: `walt-${index}` });
        assert.equal(await trust.link(vera.userId, idp, vera.userId), "200");
        const own = await signedIn(server, vera);
        await signedIn(server, vera);
        await changeSettings(server, "login", { forceMfa: true, identityProviderIds: [idp] });
        const browser = new TestBrowser(server);
        const page = await begin(provider, idp, vera.userId, browser);
        assert.ok(page.address.startsWith(setUpPath), page.address);
        const waiting = await openApp(browser, page);
        const before = await read(server, vera.userId).sessions();
        await changeSettings(server, "login", { forceMfa: false, identityProviderIds: [idp] });
        await close({ server, vera, walt, idp, own });
        await changeSettings(server, "login", { forceMfa: true, identityProviderIds: [idp] });
        server.clock.now += minute;
        const isEnded = name in closings;
        const code = appCode(waiting.secret, server.clock.now);
        const sent = await browser.submit(waiting.shown, { code }, { action: "/add-factor/totp" });
        const end = await goOn(browser, sent);
        assert.equal(end.address.split("?")[0], isEnded ? "/ui/login" : "/ui/login/signed-in");
        assert.equal(end.html.includes(over), isEnded, end.html);
        assert.equal((await read(server, vera.userId).methods()).length > 0, !isEnded);
        if (!isEnded) assert.equal(await read(server, vera.userId).sessions(), before + 1);
        // Begun again, with what counts now, it ends as it should.
        if (name === "a lock") {
          const again = await begin(provider, idp, vera.userId, browser);
          const next = await addApp(server, browser, again);
          assert.equal(next.address, "/ui/login/signed-in");
        }
      });
    }
  });

  test("a sign-in under way has one end, which refused forms do not postpone", async (t) => {
    const server = await start(t);
    const provider = await startTestProvider(t, () => server.clock.now);
    const trust = createTrust(server);
    const idp = await trust.addTo("", undefined, bodyAt(provider));
    await changeSettings(server, "login", { forceMfa: true, identityProviderIds: [idp] });
    for (const minutes of [29, 31]) {
      for (const method of ["provider", "password"]) {
        const vera = await addPerson(server, { username: `${method}-${minutes}` });
        assert.equal(await trust.link(vera.userId, idp, vera.userId), "200");
        const browser = new TestBrowser(server);
        // A user may take their time with the name.
        const first = await browser.open("/ui/login?account=other");
        const page =
          method === "provider"
            ? await begin(provider, idp, vera.userId, browser)
            : await enterSlowly(server, browser, first, vera);
        assert.ok(page.address.startsWith(setUpPath), page.address);
        for (let round = 0; round < 2; round++) {
          const { shown } = await openApp(browser, page);
          server.clock.now += 8 * minute;
          const wrong = await browser.submit(shown, { code: "000000" }, { action: "/add-factor/totp" });
          assert.ok(wrong.html.includes("The code is wrong"), wrong.html);
          // A refusal that is written down with the attempt.
          const refused = await browser.submit(page, { kind: "otp_sms" }, { action: setUpPath });
          assert.ok(refused.html.includes("cannot be set up here"), refused.html);
        }
        server.clock.now += 6 * minute;
        const { shown, secret } = await openApp(browser, page);
        server.clock.now += (minutes - 22) * minute;
        const code = appCode(secret, server.clock.now);
        const sent = await browser.submit(shown, { code }, { action: "/add-factor/totp" });
        const end = await goOn(browser, sent);
        const isEnded = minutes > 30;
        assert.equal(end.address.split("?")[0], isEnded ? "/ui/login" : "/ui/login/signed-in", end.html);
        assert.equal(end.html.includes(over), isEnded);
        assert.equal((await read(server, vera.userId).methods()).length > 0, !isEnded);
      }
    }
  });

  test("an attempt whose check counts no longer adds no factor", async (t) => {
    const server = await start(t);
    const provider = await startTestProvider(t, () => server.clock.now);
    const trust = createTrust(server);
    const idp = await trust.addTo("", undefined, bodyAt(provider));
    const login = { forceMfa: true, identityProviderIds: [idp] };
    const stale = { ...login, externalLoginCheckLifetimeSeconds: 300 };
    const changes: readonly (readonly [string, () => Promise<unknown>])[] = [
      ["too old", () => changeSettings(server, "login", stale)],
      [
        "the provider is not offered any more",
        () => changeSettings(server, "login", { forceMfa: true, identityProviderIds: [] }),
      ],
      ["nothing", () => Promise.resolve()],
      ["the provider is inactive", () => post(server, `/admin/v1/idps/${idp}/_deactivate`)],
    ];
    for (const [index, [name, change]] of changes.entries()) {
      await t.test(name, async () => {
        await changeSettings(server, "login", { ...login, externalLoginCheckLifetimeSeconds: 43_200 });
        const vera = await addPerson(server, { username: `vera-${index}` });
        assert.equal(await trust.link(vera.userId, idp, vera.userId), "200");
        const browser = new TestBrowser(server);
        const page = await begin(provider, idp, vera.userId, browser);
        const { shown, secret } = await openApp(browser, page);
        await change();
        server.clock.now += 6 * minute;
        const code = appCode(secret, server.clock.now);
        const end = await goOn(browser, await browser.submit(shown, { code }, { action: "/add-factor/totp" }));
        const isRefused = name !== "nothing";
        assert.equal(end.address.split("?")[0], isRefused ? "/ui/login" : "/ui/login/signed-in", end.html);
        assert.equal(end.html.includes(over), isRefused);
        assert.equal((await read(server, vera.userId).methods()).length > 0, !isRefused);
      });
    }
  });

  test("an attempt by a provider of another administrator adds no factor to an owner", async (t) => {
    const server = await start(t);
    const provider = await startTestProvider(t, () => server.clock.now);
    const trust = createTrust(server);
    for (const roles of [["ORG_OWNER"], []] as const) {
      const acme = await addStaff(server, `acme-${roles.length}`);
      const { organizationId, plain: vera } = acme;
      const idp = await trust.addTo(organizationId, acme.manager.token, bodyAt(provider));
      assert.equal(await trust.link(vera.userId, idp, "v", acme.clerk.token), "200");
      await changeSettings(server, "login", { forceMfa: true, identityProviderIds: [idp] }, organizationId);
      const browser = new TestBrowser(server);
      const first = await browser.open(`/ui/login?account=other&organization=${organizationId}`);
      await browser.submit(first, { login_name: vera.loginName }, { action: "/ui/login" });
      const page = await begin(provider, idp, "v", browser, `&organization=${organizationId}`);
      assert.ok(page.address.startsWith(setUpPath), page.address);
      const { shown, secret } = await openApp(browser, page);
      server.clock.now += 5000;
      if (roles.length > 0) await appoint(server, vera, { organizationId }, roles);
      server.clock.now += 5000;
      const code = appCode(secret, server.clock.now);
      const end = await goOn(browser, await browser.submit(shown, { code }, { action: "/add-factor/totp" }));
      const isRefused = roles.length > 0;
      assert.equal(end.html.includes(over), isRefused, end.html);
      assert.equal((await read(server, vera.userId).methods()).length > 0, !isRefused);
    }
  });
});

/** Enters the name, and the password 20 minutes later. */
async function enterSlowly(server: TestServer, browser: TestBrowser, page: ShownPage, person: Person) {
  const asked = await browser.submit(page, { login_name: person.loginName }, { action: "/ui/login" });
  server.clock.now += 20 * minute;
  return browser.submit(asked, { password: person.password }, { action: "/ui/login/password" });
}
