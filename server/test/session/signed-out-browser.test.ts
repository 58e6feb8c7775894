import assert from "node:assert/strict";
import { knowProvider } from "../identity-provider/attempts.ts";
import { addStaff, createTrust } from "../identity-provider/trusted.ts";
import { enter, isBack, signedIn, visit } from "../login/support/sign-in.ts";
import { grace } from "../login/support/sign-up.ts";
import { countStatements } from "../support/databases/counted-statements.ts";
import { startTestProvider } from "../support/identity-provider/test-provider.ts";
import { addPerson, type Person } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import { recordedEvents } from "../support/servers/recorded-events.ts";
import type { TestServer } from "../support/servers/server.ts";
import { addClient } from "../support/sign-in/sign-in-client.ts";
import { TestBrowser } from "../support/sign-in/test-browser.ts";

const minute = 60_000;
const over = "This sign-in has ended";
const skip = { action: "/add-factor/skip" };

interface Ending {
  readonly server: TestServer;
  readonly vera: Person;
  /** The browser in which the attempt waits, with a session from another tab. */
  readonly browser: TestBrowser;
  readonly idToken: string;
}

/** Signs in elsewhere, with nothing to ask. */
async function atHome(server: TestServer, person: Person): Promise<TestBrowser> {
  await changeSettings(server, "login", { mfaInitSkipLifetimeSeconds: 0 });
  const home = await signedIn(server, person);
  await changeSettings(server, "login", { mfaInitSkipLifetimeSeconds: 3600 });
  return home;
}

const findSessions = async (server: TestServer, userId: string): Promise<string[]> => {
  const body = { queries: [{ userIdQuery: { id: userId } }] };
  const found = await server.rest("POST", "/v2/sessions/search", { body });
  return (found.body.sessions ?? []).map(({ id }: { id: string }) => id);
};

const remove = async (server: TestServer, sessionId: string): Promise<void> => {
  const answer = await server.rest("DELETE", `/v2/sessions/${sessionId}`, { body: {} });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
};

/** What ends a session, and with it what is half done in its browser. */
const endings: Readonly<Record<string, (input: Ending) => Promise<void>>> = {
  "signing out there": async ({ browser }) => {
    assert.match((await browser.submit(await browser.open("/ui/logout"))).title, /You are signed out/);
  },
  "the application, with an ID token": async ({ browser, idToken }) => {
    const done = await browser.open(`/oidc/v1/end_session?id_token_hint=${idToken}`);
    assert.match(done.title, /You are signed out/);
  },
  "its removal from the accounts there": async ({ browser }) => {
    const list = await browser.open("/ui/login/accounts");
    await browser.submit(list, {}, { action: "/accounts/remove" });
  },
  "its user, from elsewhere": async ({ server, vera }) => {
    const [there = ""] = await findSessions(server, vera.userId);
    const home = await atHome(server, vera);
    const list = await home.open("/ui/account/sessions");
    const form = list.forms.find(({ values }) => values.some(([, value]) => value === there));
    assert.ok(form, list.html);
    await home.submit({ ...list, forms: [form] });
  },
  "an administrator, by the API": async ({ server, vera }) => {
    for (const sessionId of await findSessions(server, vera.userId)) await remove(server, sessionId);
  },
  "the end of a session of the API, whose browser is not known": async ({ server, vera }) => {
    const checks = { user: { userId: vera.userId }, password: { password: vera.password } };
    const made = await server.rest("POST", "/v2/sessions", { body: { checks } });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    await remove(server, made.body.sessionId);
  },
  "signing out of the session of another user there": async ({ server, browser }) => {
    await changeSettings(server, "login", { mfaInitSkipLifetimeSeconds: 0 });
    const walt = await addPerson(server, { username: "walt-there" });
    await signedIn(server, walt, browser);
    await changeSettings(server, "login", { mfaInitSkipLifetimeSeconds: 3600 });
    const asked = await browser.open(`/ui/logout?logout_hint=${encodeURIComponent(walt.loginName)}`);
    assert.match((await browser.submit(asked)).html, /Still signed in/);
  },
};

/** What leaves it alone. */
const others: Readonly<Record<string, (input: Ending) => Promise<void>>> = {
  "the question alone": async ({ browser }) => {
    assert.match((await browser.open("/ui/logout")).title, /^Sign out/);
  },
  "the end of a session in another browser": async ({ server, vera }) => {
    const home = await atHome(server, vera);
    assert.match((await home.submit(await home.open("/ui/logout"))).title, /You are signed out/);
  },
  "the end of a session of the API that proved nothing": async ({ server, vera }) => {
    const made = await server.rest("POST", "/v2/sessions", { body: { checks: { user: { userId: vera.userId } } } });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    await remove(server, made.body.sessionId);
  },
  "the end of a session of another user elsewhere": async ({ server }) => {
    const walt = await addPerson(server, { username: "walt-elsewhere" });
    await atHome(server, walt);
    for (const sessionId of await findSessions(server, walt.userId)) await remove(server, sessionId);
  },
};

serversInTurn((start, test, both) => {
  test("the end of a session ends what is half done in its browser", async (t) => {
    const server = await start(t);
    await changeSettings(server, "login", { mfaInitSkipLifetimeSeconds: 3600 });
    const client = await addClient(server);
    for (const [index, [name, end]] of Object.entries({ ...endings, ...others }).entries()) {
      await t.test(name, async () => {
        const vera = await addPerson(server, { username: `vera-${index}` });
        const browser = new TestBrowser(server);
        const one = await visit(server, client, {}, browser);
        const offer = await enter(one, vera);
        assert.ok(offer.address.startsWith("/ui/login/add-factor"), offer.address);
        const two = await visit(server, client, {}, browser);
        const back = await browser.submit(await enter(two, vera), {}, skip);
        const { body } = await client.exchange(back.address, two.codeVerifier);
        await end({ server, vera, browser, idToken: body.id_token });
        server.clock.now += 10 * minute;
        const again = await browser.open(offer.address);
        const isOver = name in endings;
        const isSetUp = again.address.startsWith("/ui/login/add-factor");
        assert.equal(isSetUp, !isOver, `${again.address} ${again.title}`);
        // Where the session in the browser lives, the user is asked whether to continue with that.
        if (isOver) assert.ok(again.html.includes(over) || again.title.startsWith("Continue to"), again.title);
        else assert.ok(isBack(await browser.submit(again, {}, skip)));
      });
    }
  });

  test("signing out without a session ends what is half done in the browser", async (t) => {
    const server = await start(t);
    await changeSettings(server, "login", { forceMfa: true });
    const client = await addClient(server);
    const vera = await addPerson(server, { username: "vera" });
    for (const path of ["/ui/logout", "/oidc/v1/end_session"]) {
      const { browser, page } = await visit(server, client);
      const other = await visit(server, client);
      const waiting = await enter({ browser, page }, vera);
      const elsewhere = await enter(other, vera);
      assert.match((await browser.open(path)).html, /You were not signed in/);
      assert.match((await browser.open(waiting.address)).html, new RegExp(over));
      const control = await other.browser.open(elsewhere.address);
      assert.ok(control.address.startsWith("/ui/login/add-factor"), "another browser goes on");
      const named = await visit(server, client);
      await named.browser.submit(named.page, { login_name: vera.loginName }, { action: "/ui/login" });
      await named.browser.open(path);
      const typed = await named.browser.open(named.page.address.replace("/ui/login?", "/ui/login/password?"));
      assert.match(typed.address, /^\/ui\/login\/password/, "a name alone proves nothing, and stays");
    }
  });

  test("an answer of a provider that waits ends with signing out there", async (t) => {
    const server = await start(t);
    const provider = await startTestProvider(t, () => server.clock.now);
    const trust = createTrust(server);
    const acme = await addStaff(server, "acme");
    const idp = await knowProvider(server, provider, {});
    await changeSettings(server, "login", { identityProviderIds: [idp] });
    const client = await addClient(server);
    const scope = `openid urn:service:iam:org:id:${acme.organizationId}`;
    for (const endedAt of ["here", "elsewhere", "nowhere"]) {
      const vera = await addPerson(server, { username: `vera-${endedAt}`, organizationId: acme.organizationId });
      assert.equal(await trust.link(vera.userId, idp, vera.userId, acme.owner.token), "200");
      provider.user = { sub: vera.userId, email: "x@provider.example", email_verified: true };
      const { browser, page } = await visit(server, client, { scope });
      const away = await browser.submit(page, { provider: idp }, { action: "/ui/login/provider" });
      const back = provider.signIn(away.address);
      const asked = await browser.open(back.pathname + back.search);
      assert.ok(asked.address.startsWith("/ui/login/external"), asked.address);
      await signedIn(server, vera, browser);
      if (endedAt === "here") await browser.submit(await browser.open("/ui/logout"));
      if (endedAt === "elsewhere") {
        for (const sessionId of await findSessions(server, vera.userId)) await remove(server, sessionId);
      }
      const again = await browser.open(asked.address);
      if (endedAt === "nowhere") {
        assert.ok(isBack(await browser.submit(again, {}, { action: "/ui/login/external" })), again.html);
      } else {
        assert.match(again.html, new RegExp(over));
        const sent = await browser.submit(asked, {}, { action: "/ui/login/external" });
        assert.ok(!isBack(sent), sent.address);
      }
    }
    const failed = (await recordedEvents(server)).filter(({ type }) => type === "idpintent.failed");
    assert.equal(failed.length, 2);
  });

  both("signing out ends what is half done with two statements, and reads no sessions first", async (t) => {
    const server = await start(t);
    const vera = await addPerson(server, { username: "vera" });
    const counted = countStatements(server.app.domain.database);
    const browser = await signedIn(server, vera);
    const asked = await browser.open("/ui/logout");
    const sent = await counted.during(() => browser.submit(asked, {}, { action: "/ui/logout" }));
    const ofAttempts = sent.filter((each) => /^update (sign_ins|identity_intents) /.test(each));
    assert.equal(ofAttempts.length, 2, sent.join("\n"));
    assert.equal(sent.filter((each) => /^select session_id .* from sessions/.test(each)).length, 0, sent.join("\n"));
  });

  test("a registration that waits for its code ends with the sign-out of its browser", async (t) => {
    const server = await start(t);
    await changeSettings(server, "login", { allowRegister: true });
    const register = async () => {
      const browser = new TestBrowser(server);
      const form = await browser.open("/ui/login/register");
      const page = await browser.submit(form, grace, { action: "login/register" });
      assert.match(page.address, /register\/confirm/);
      return browser;
    };
    for (const isEnded of [false, true]) {
      const browser = await register();
      if (isEnded) assert.match((await browser.open("/ui/logout")).title, /signed out/);
      for (const path of ["/ui/login/register", "/ui/login/register/confirm"]) {
        assert.equal((await browser.open(path)).html.includes(grace.email), !isEnded, path);
      }
    }
  });
});
