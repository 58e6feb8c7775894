import assert from "node:assert/strict";
import { sql } from "../../../src/database/index.ts";
import { inboxOf } from "../../factor/support.ts";
import { knowProvider } from "../../identity-provider/attempts.ts";
import { startTestProvider } from "../../support/identity-provider/test-provider.ts";
import { testCall } from "../../support/operations/call.ts";
import { defaultOrganization, goodPassword } from "../../support/people/people.ts";
import { changeSettings } from "../../support/servers/change-settings.ts";
import { serversInTurn } from "../../support/servers/each-server.ts";
import { recordedEvents } from "../../support/servers/recorded-events.ts";
import type { TestServer } from "../../support/servers/server.ts";
import { createAuthenticator } from "../../support/sign-in/authenticator.ts";
import { type ShownPage, TestBrowser } from "../../support/sign-in/test-browser.ts";

const users = "service.user.v2.UserService";
const newDevice = () => createAuthenticator({ origin: "http://localhost" });
const optionsOf = ({ html }: ShownPage) =>
  JSON.parse(
    (/data-passkey-options="([^"]*)"/.exec(html)?.[1] ?? "").replaceAll("&quot;", '"').replaceAll("&amp;", "&"),
  );

/** Invites a user by mail; returns the address of the link in it. */
async function invite(server: TestServer, username: string): Promise<{ userId: string; link: string; email: string }> {
  const email = `${username}@mail.example`;
  const made = await server.connect(`${users}/CreateUser`, {
    organizationId: await defaultOrganization(server),
    username,
    human: { profile: { givenName: "I", familyName: "V" }, email: { email, isVerified: false } },
  });
  const userId = made.body.id;
  const sent = await server.connect(`${users}/CreateInviteCode`, { userId, sendCode: {} });
  assert.equal(sent.status, 200, JSON.stringify(sent.body));
  return { userId, email, link: await linkOf(server, email) };
}

async function linkOf(server: TestServer, email: string): Promise<string> {
  const [newest] = await inboxOf(server, email);
  const { pathname, search } = new URL(/http:\/\/\S*invitation\S*/.exec(newest.text)?.[0] ?? assert.fail(newest.text));
  return pathname + search;
}

const methodsOf = async (server: TestServer, userId: string): Promise<string[]> =>
  (await server.connect(`${users}/ListAuthenticationMethodTypes`, { userId })).body.authMethodTypes ?? [];
const isVerified = async (server: TestServer, userId: string): Promise<boolean> =>
  (await server.connect(`${users}/GetUserByID`, { userId })).body.user.human.email.isVerified === true;

serversInTurn((start, test, both) => {
  test("an invited user chooses a passkey or a password; opening the link, and giving up, use nothing up", async (t) => {
    const server = await start(t);
    const { userId, link } = await invite(server, "pia");
    const scanner = new TestBrowser(server);
    await scanner.open(link);
    await scanner.open(link);
    const browser = new TestBrowser(server);
    const page = await browser.open(link);
    assert.match(page.html, /name="new_password"/);
    const scriptless = await browser.submit(page, { with: "passkey" });
    assert.match(scriptless.alert ?? "", /needs JavaScript/);
    const given = { with: "passkey", passkeys: "1" };
    const asked = await browser.submit(page, given);
    assert.match(asked.title, /^Create the passkey/);
    const refused = await browser.submit(asked, {
      credential: JSON.stringify(newDevice().create(optionsOf(asked), { origin: "https://evil.example" })),
    });
    assert.match(refused.alert ?? "", /cannot be accepted/);
    assert.deepEqual(await methodsOf(server, userId), []);
    assert.equal(await isVerified(server, userId), false);
    const again = await browser.submit(refused, given);
    const stranger = new TestBrowser(server);
    const strangers = await stranger.submit(await stranger.open(link), given);
    const credential = JSON.stringify(newDevice().create(optionsOf(again)));
    const ticket = again.forms[0]?.values.find(([name]) => name === "ticket")?.[1] ?? "";
    const stolen = await stranger.submit(strangers, { ticket, credential });
    assert.match(stolen.address, /^\/ui\/login\/invitation\?/, "the ticket is of one browser");
    const done = await browser.submit(again, { credential, passkey_name: "Phone" });
    assert.equal(done.address, "/ui/login/passkey/done", done.html);
    assert.deepEqual(await methodsOf(server, userId), ["AUTHENTICATION_METHOD_TYPE_PASSKEY"]);
    assert.equal(await isVerified(server, userId), true);
    const types = (await recordedEvents(server)).map(({ type }) => type);
    for (const type of ["user.invitation.accepted", "user.passkey.added", "user.passkey.verified"]) {
      assert.ok(types.includes(type), type);
    }
    assert.match((await browser.submit(page, given)).alert ?? "", /code/i, "the code was used");

    const max = await invite(server, "max");
    const chosen = { new_password: goodPassword, new_password_repeated: goodPassword };
    const set = await browser.submit(await browser.open(max.link), chosen);
    assert.match(set.address, /password-set/);
    assert.deepEqual(await methodsOf(server, max.userId), ["AUTHENTICATION_METHOD_TYPE_PASSWORD"]);
  });

  both("an invitation lets in no user who got a factor meanwhile; recovery codes alone do not count", async (t) => {
    const server = await start(t);
    const chosen = { new_password: goodPassword, new_password_repeated: goodPassword };
    const choose = async (link: string) => {
      const browser = new TestBrowser(server);
      return browser.submit(await browser.open(link), chosen);
    };
    const [pia, max] = [await invite(server, "pia"), await invite(server, "max")];
    const codes = await server.connect(`${users}/GenerateRecoveryCodes`, { userId: pia.userId, count: 3 });
    assert.equal(codes.status, 200, JSON.stringify(codes.body));
    const browser = new TestBrowser(server);
    const asked = await browser.submit(await browser.open(pia.link), { with: "passkey", passkeys: "1" });
    assert.match(asked.title, /^Create the passkey/, asked.html);
    assert.match((await choose(pia.link)).address, /password-set/);

    // Written at the same time: whatever adds a factor ends the code as well.
    const { database } = server.app.domain;
    const instanceId = (await server.app.domain.findInstanceByHost("localhost"))?.instanceId ?? assert.fail();
    await database.touch(testCall({ instanceId, now: server.clock.now }), (tx) =>
      tx.run(sql`insert into user_factors (instance_id, user_id, kind, state, failed_checks, ready_at, created_at, changed_at)
        values (${instanceId}, ${max.userId}, 'otp_email', 'ready', 0, ${tx.now}, ${tx.now}, ${tx.now})`),
    );
    assert.match((await choose(max.link)).alert ?? "", /code/i);
    assert.ok(!(await methodsOf(server, max.userId)).includes("AUTHENTICATION_METHOD_TYPE_PASSWORD"));
  });

  test("wrong codes are counted for a passkey as for a password, and read the same for known and unknown users", async (t) => {
    const server = await start(t);
    const { userId, link } = await invite(server, "pia");
    const given = { with: "passkey", passkeys: "1", code: "WRONG1" };
    const browser = new TestBrowser(server);
    for (const path of [link, link.replace(userId, "999"), link.replace(userId, "nobody")]) {
      const refused = await browser.submit(await browser.open(path), given);
      assert.match(refused.alert ?? "", /code/i);
      assert.doesNotMatch(refused.html, /data-passkey-options|pia/);
      assert.match(refused.html, /Send a new invitation/);
    }
    for (let count = 0; count < 4; count++) await browser.submit(await browser.open(link), given);
    const right = await browser.submit(await browser.open(link), { with: "passkey", passkeys: "1" });
    assert.match(right.alert ?? "", /code/i, "dead after five guesses");
    const failures = (await recordedEvents(server)).filter(({ type }) => type === "user.invitation_check.failed");
    assert.equal(failures.length, 5);
  });

  test("a stranger who guesses at an invitation does not take it from its holder", async (t) => {
    const server = await start(t, { config: { trustedProxies: ["127.0.0.0/8"] } });
    const { userId, link } = await invite(server, "pia");
    const verify = (address: string, verificationCode: string) =>
      server.rest("POST", `/v2/users/${userId}/invite_code/verify`, {
        body: { verificationCode },
        headers: { "x-forwarded-for": address },
      });
    for (let source = 1; source <= 4; source++) {
      for (let count = 0; count < 8; count++) assert.equal((await verify(`203.0.113.${source}`, "WRONG1")).status, 400);
    }
    const failures = (await recordedEvents(server)).filter(({ type }) => type === "user.invitation_check.failed");
    assert.equal(failures.length, 20, "five of each source are evaluated");
    const code = new URL(link, server.origin).searchParams.get("code") ?? assert.fail();
    assert.equal((await verify("203.0.113.1", code)).status, 400, "a source that guessed too often");
    assert.equal((await verify("198.51.100.7", code)).status, 200, "the holder");
  });

  both("a user without an invitation left gets another, once a minute, and other users get nothing", async (t) => {
    const server = await start(t);
    const { userId, link, email } = await invite(server, "pia");
    const browser = new TestBrowser(server);
    const refused = await browser.submit(await browser.open(link), { with: "passkey", passkeys: "1", code: "WRONG1" });
    const ask = () => browser.submit(refused, {}, { action: "/again" });
    const soon = await ask();
    assert.match(soon.html, /another message is on its way/);
    assert.equal((await inboxOf(server, email)).length, 1, "one was sent just now");
    server.clock.now += 61_000;
    await Promise.all([ask(), ask()]);
    assert.equal((await inboxOf(server, email)).length, 2);
    const newest = await linkOf(server, email);
    assert.notEqual(newest, link);
    const nobody = await browser.submit(await browser.open(link.replace(userId, "999")), { code: "WRONG1" });
    const none = await browser.submit(nobody, { new_password: goodPassword, new_password_repeated: goodPassword });
    assert.match((await browser.submit(none, {}, { action: "/again" })).html, /another message is on its way/);
    const chosen = { new_password: goodPassword, new_password_repeated: goodPassword };
    assert.match((await browser.submit(await browser.open(newest), chosen)).address, /password-set/);
    server.clock.now += 61_000;
    const used = await browser.submit(await browser.open(newest), chosen);
    await browser.submit(used, {}, { action: "/again" });
    assert.equal((await inboxOf(server, email)).length, 2, "who can sign in is not invited");
  });

  test("settings decide what is offered: no passkeys, or nothing of ours at all", async (t) => {
    const server = await start(t);
    const { userId, link } = await invite(server, "pia");
    const browser = new TestBrowser(server);
    await changeSettings(server, "login", { allowPasskeys: false });
    const page = await browser.open(link);
    assert.doesNotMatch(page.html, /value="passkey"/);
    assert.doesNotMatch((await browser.submit(page, { with: "passkey", passkeys: "1" })).html, /data-passkey-options/);
    await changeSettings(server, "login", { allowPasskeys: true, allowLocalAuthentication: false });
    const alone = await browser.open(link);
    assert.doesNotMatch(alone.html, /new_password|value="passkey"/);
    assert.match((await browser.submit(alone, { code: "WRONG1" })).alert ?? "", /code/i);
    const accepted = await browser.submit(alone, {});
    assert.equal(accepted.address, "/ui/login/verify-email/done");
    assert.equal(await isVerified(server, userId), true);
    assert.deepEqual(await methodsOf(server, userId), []);
  });

  both("an invited user signs in at a provider, and the account there is the way in", async (t) => {
    const server = await start(t);
    const provider = await startTestProvider(t, () => server.clock.now);
    const known = await knowProvider(server, provider);
    const closed = await knowProvider(server, provider, { options: { isLinkingAllowed: false } });
    const unoffered = await knowProvider(server, provider);
    await changeSettings(server, "login", { identityProviderIds: [known, closed] });
    const answer = (away: string, sub: string): string => {
      provider.user = { sub, preferred_username: `<b>${sub}</b>`, email: `${sub}@provider.example` };
      const back = provider.signIn(away);
      return back.pathname + back.search;
    };
    const leave = (browser: TestBrowser, page: ShownPage, id = known) => browser.submit(page, { provider: id });
    const linksOf = async (userId: string): Promise<string[]> =>
      ((await server.rest("POST", `/v2/users/${userId}/links/_search`, { body: {} })).body.result ?? []).map(
        (link: { userId: string }) => link.userId,
      );

    const pia = await invite(server, "pia");
    const browser = new TestBrowser(server);
    const page = await browser.open(pia.link);
    assert.deepEqual(
      [...page.html.matchAll(/name="provider" value="(\d+)"/g)].map(([, id]) => id),
      [known],
      "what is offered, and may be linked",
    );
    // Without the code no browser leaves, and each guess counts; nor does it leave to a provider that is not offered.
    assert.match((await browser.submit(page, { provider: known, code: "WRONG1" })).alert ?? "", /code/i);
    for (const id of [closed, unoffered, "404"]) {
      assert.match((await leave(browser, page, id)).address, /^\/ui\/login\/invitation\?/, id);
    }
    const away = await leave(browser, page);
    assert.ok(away.address.startsWith(`${provider.issuer}/authorize`), away.html);
    assert.equal(new URL(away.address).searchParams.get("login_hint"), pia.email);
    assert.doesNotMatch(away.address, new RegExp(new URL(pia.link, server.origin).searchParams.get("code") ?? "-"));
    const back = answer(away.address, "pat");
    // The answer belongs to the browser that left: no other browser can take it.
    const stranger = new TestBrowser(server);
    await stranger.open("/ui/login");
    assert.match((await stranger.open(back)).title, /started in another browser/);
    const asked = await browser.open(back);
    assert.match(asked.title, /^Link these accounts/, asked.html);
    assert.match(asked.html, /&lt;b&gt;pat&lt;\/b&gt;[\s\S]*pia@/);
    assert.deepEqual(await linksOf(pia.userId), [], "coming back links nothing");
    assert.equal(await isVerified(server, pia.userId), false);
    assert.equal((await stranger.open(asked.address)).address, "/ui/login", "the attempt is of one browser");
    // A user who declines, or goes back, still has the link.
    const declined = await browser.submit(asked, { decision: "skip" });
    assert.match(declined.html, /name="new_password"/);
    const again = await browser.open(answer((await leave(browser, declined)).address, "pat"));
    const tabs = [browser.copy(), browser.copy()];
    const ends = await Promise.all(tabs.map((tab) => tab.submit(again, { decision: "link" })));
    for (const end of ends) assert.match(end.title, /^Accounts linked/, "sent twice it tells the same");
    assert.deepEqual(await linksOf(pia.userId), ["pat"]);
    assert.equal(await isVerified(server, pia.userId), true);
    assert.match((await leave(browser, page)).alert ?? "", /code/i, "the invitation was used");
    const login = await new TestBrowser(server).open("/ui/login");
    assert.equal(login.status, 200);
    const returning = new TestBrowser(server);
    const gone = await returning.submit(
      await returning.open("/ui/login"),
      { provider: known },
      { action: "/provider" },
    );
    assert.equal((await returning.open(answer(gone.address, "pat"))).address, "/ui/login/signed-in");

    const max = await invite(server, "max");
    const other = new TestBrowser(server);
    const taken = await other.open(answer((await leave(other, await other.open(max.link))).address, "pat"));
    assert.match(taken.alert ?? "", /already linked to a user/);
    assert.doesNotMatch(taken.html, /pia/, "nobody is told whose");
    const retried = await other.submit(taken);
    assert.ok(retried.address.startsWith(`${provider.issuer}/authorize`), "another try, without the link once more");
    const waiting = await other.open(answer(retried.address, "mia"));
    // Another invitation was sent meanwhile: the former is invalid.
    server.clock.now += 61_000;
    await server.connect(`${users}/CreateInviteCode`, { userId: max.userId, sendCode: {} });
    const late = await other.submit(waiting, { decision: "link" });
    assert.match(late.alert ?? "", /code/i);
    assert.deepEqual([await linksOf(max.userId), await isVerified(server, max.userId)], [[], false]);
    const fresh = await other.open(await linkOf(server, max.email));
    const waits = await other.open(answer((await leave(other, fresh)).address, "mia"));
    await changeSettings(server, "login", { identityProviderIds: [closed] });
    assert.match((await other.submit(waits, { decision: "link" })).title, /^Error: Sign-in failed/);
    assert.deepEqual(await linksOf(max.userId), [], "what is not offered any more links nobody");
    await changeSettings(server, "login", { identityProviderIds: [known], allowExternalIdp: false });
    assert.doesNotMatch((await other.open(await linkOf(server, max.email))).html, /name="provider"/);
    // An attempt for an invitation is valid neither for the account page nor for a sign-in.
    const intent = new URL(waits.address, server.origin).searchParams.get("intent") ?? "";
    assert.match((await other.open(`/ui/login/external?intent=${intent}`)).title, /^Sign in/);
  });
});
