import assert from "node:assert/strict";
import { keysAt } from "../factor/key-support.ts";
import { callUser, inboxOf, refusalOf, setSession, slugOf } from "../factor/support.ts";
import { addStaff } from "../identity-provider/trusted.ts";
import { ask } from "../login/support/second-factors.ts";
import { setUpOidc } from "../support/oidc/oidc.ts";
import { appoint } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";
import { type Authenticator, createAuthenticator } from "../support/sign-in/authenticator.ts";
import { type ShownPage, TestBrowser } from "../support/sign-in/test-browser.ts";
import { appCode } from "../support/sign-in/totp.ts";
import { lives, make } from "./support/prepared.ts";

const ownPassword = "a sentence that the user alone knows";

/** Ways to do what the reader of a mailbox can do, and its user. */
function mailboxAt(server: TestServer) {
  const keys = keysAt(server);
  const codeOf = async (email: string, name = "code"): Promise<string> =>
    new RegExp(`[?&;]${name}=([\\w-]+)`).exec(JSON.stringify((await inboxOf(server, email))[0]))?.[1] ?? "";
  /** Creates a passkey on the page that asks for one. */
  const create = async (browser: TestBrowser, page: ShownPage) => {
    const device = createAuthenticator({ origin: server.origin });
    const [, written = ""] = /data-passkey-options="([^"]*)"/.exec(page.html) ?? [];
    assert.notEqual(written, "", `${page.title}: ${page.alert}`);
    const options = JSON.parse(written.replaceAll("&quot;", '"').replaceAll("&amp;", "&"));
    const credential = JSON.stringify(device.create(options));
    return { device, done: await browser.submit(page, { credential, passkey_name: "Phone" }) };
  };
  /** Follows the link for a passkey of the last message. */
  const follow = async (userId: string, email: string): Promise<Authenticator> => {
    const browser = new TestBrowser(server);
    const link = `user=${userId}&id=${await codeOf(email, "id")}&code=${await codeOf(email)}`;
    const page = await browser.submit(await browser.open(`/ui/login/passkey?${link}`), { passkeys: "1" });
    const { device, done } = await create(browser, page);
    assert.match(done.address, /passkey\/done/);
    return device;
  };
  /** Accepts an invitation with a passkey; undefined where it is refused. */
  const accept = async (userId: string, code: string): Promise<Authenticator | undefined> => {
    const browser = new TestBrowser(server);
    const page = await browser.open(`/ui/login/invitation?user=${userId}&code=${code}`);
    const asked = await browser.submit(page, { with: "passkey", passkeys: "1" });
    if (!asked.html.includes("data-passkey-options")) return undefined;
    const { device, done } = await create(browser, asked);
    return done.address.includes("passkey/done") ? device : undefined;
  };
  /** Signs in by a passkey, and by what is checked after it; returns the token of the session. */
  const signIn = async (userId: string, device: Authenticator, checks?: object): Promise<string> => {
    const sessionId = await keys.sessionFor(userId);
    const answered = await keys.answer(sessionId, device.get(await keys.challenge(sessionId)));
    assert.equal(answered.status, 200, JSON.stringify(answered.body));
    if (checks === undefined) return answered.body.sessionToken;
    const more = await setSession(server, sessionId, { checks });
    assert.equal(more.status, 200, JSON.stringify(more.body));
    return more.body.sessionToken;
  };
  return { keys, codeOf, follow, accept, signIn };
}

/** Gives a user an authenticator app; returns what an hour later proves it, once each time. */
async function addApp(server: TestServer, userId: string, token?: string) {
  const { secret } = await callUser(server, "RegisterTOTP", { userId }, token);
  await callUser(server, "VerifyTOTPRegistration", { userId, code: appCode(secret, server.clock.now) }, token);
  return () => {
    server.clock.now += 60_000;
    return { totp: { code: appCode(secret, server.clock.now) } };
  };
}

serversInTurn((start, test, both) => {
  both("a passkey that a message opened is no more than one factor beside a second one", async (t) => {
    const server = await start(t);
    const { loginToken } = await setUpOidc(server);
    const [acme, other] = [await addStaff(server, "acme"), await addStaff(server, "other")];
    const { keys, codeOf, follow, signIn } = mailboxAt(server);
    const send = async (userId: string, token: string) =>
      slugOf(
        await server.rest("POST", `/v2/users/${userId}/passkeys/registration_link`, { token, body: { sendLink: {} } }),
      );
    /** A user whose address the clerk named and proved, and whose password the clerk does not know. */
    const makeUser = async (name: string) => {
      const human = {
        profile: { givenName: name, familyName: "V" },
        email: { email: `${name}@mail.example`, sendCode: {} },
      };
      const body = { organizationId: acme.organizationId, username: name, human };
      const made = await server.rest("POST", "/v2/users/new", { token: acme.clerk.token, body });
      const { id: userId } = made.body;
      const verificationCode = await codeOf(`${name}@mail.example`);
      const verify = { token: acme.clerk.token, body: { verificationCode } };
      assert.equal((await server.rest("POST", `/v2/users/${userId}/email/verify`, verify)).status, 200);
      await callUser(server, "SetPassword", { userId, newPassword: { password: ownPassword } });
      return { userId: String(userId), email: `${name}@mail.example` };
    };

    await t.test("sent by an administrator, it does not get past the second factor", async () => {
      const { userId, email } = await makeUser("vera");
      const prove = await addApp(server, userId);
      await appoint(server, { userId }, { organizationId: other.organizationId }, ["ORG_OWNER"]);
      assert.equal(await refusalOf(server, "RemoveTOTP", { userId }, acme.owner.token), "user.administers_more");
      assert.equal(await send(userId, acme.owner.token), "done");
      const device = await follow(userId, email);
      const alone = await signIn(userId, device);
      assert.equal(await lives(server, alone), false, "the passkey alone");
      assert.equal(await refusalOf(server, "RemoveTOTP", { userId }, alone), "authentication.invalid_token");
      const chosen = { verificationCode: "", newPassword: { password: "a sentence of the mailbox's reader" } };
      await server.rest("POST", `/v2/users/${userId}/password_reset`, {
        token: acme.owner.token,
        body: { sendLink: {} },
      });
      chosen.verificationCode = await codeOf(email);
      const set = await server.rest("POST", `/v2/users/${userId}/password`, { token: acme.owner.token, body: chosen });
      assert.equal(set.status, 200, JSON.stringify(set.body));
      const both = await signIn(userId, device, { password: chosen.newPassword });
      assert.equal(await lives(server, both), false, "with a password that a message opened as well");
      assert.equal(await lives(server, await signIn(userId, device, prove())), true, "with the second factor");
      await callUser(server, "RemoveTOTP", { userId });
      assert.equal(await lives(server, await signIn(userId, device)), true, "without a second factor it is enough");
    });

    await t.test("sent by a sign-in application to an administrator of the instance", async () => {
      const { userId, email } = await makeUser("ivo");
      const prove = await addApp(server, userId);
      await appoint(server, { userId }, { instance: true }, ["IAM_OWNER"]);
      assert.equal(await send(userId, acme.clerk.token), "permission.missing");
      assert.equal(await send(userId, loginToken), "done");
      const device = await follow(userId, email);
      assert.equal(await lives(server, await signIn(userId, device)), false);
      assert.equal(await lives(server, await signIn(userId, device, prove())), true);
    });

    await t.test("opened before the user had a second factor", async () => {
      const { userId, email } = await makeUser("eve");
      assert.equal(await send(userId, acme.owner.token), "done");
      const device = await follow(userId, email);
      await changeSettings(server, "login", { forceMfa: true }, acme.organizationId);
      assert.equal(await lives(server, await signIn(userId, device)), true, "it verified its user: two factors");
      await changeSettings(server, "login", { forceMfa: false }, acme.organizationId);
      assert.equal(await send(userId, acme.owner.token), "done");
      const prove = await addApp(server, userId);
      const [id, code] = [await codeOf(email, "id"), await codeOf(email)];
      const late = { userId, domain: "", code: { id, code } };
      assert.equal(await refusalOf(server, "RegisterPasskey", late), "user.code_invalid", "the factor spends the code");
      assert.equal(await lives(server, await signIn(userId, device)), false);
      assert.equal(await lives(server, await signIn(userId, device, prove())), true);
    });

    await t.test("the pages ask for the second factor after it, and take no such key for one", async () => {
      const { userId, email } = await makeUser("page");
      const prove = await addApp(server, userId);
      assert.equal(await send(userId, acme.owner.token), "done");
      const device = await follow(userId, email);
      const browser = new TestBrowser(server);
      const page = await browser.open("/ui/login");
      const { options } = await ask(browser, page);
      const credential = JSON.stringify(device.get(options));
      const asked = await browser.submit(page, { credential }, { action: "/ui/login/key" });
      assert.match(asked.address, /^\/ui\/login\/second-factor/);
      assert.doesNotMatch(asked.html, /data-passkey-request/);
      const end = await browser.submit(asked, prove().totp);
      assert.equal(end.address, "/ui/login/signed-in");
    });

    await t.test("a security key of the user's own is the second factor beside it", async () => {
      const { userId, email } = await makeUser("key");
      const own = createAuthenticator({ origin: server.origin });
      await keys.register(userId, own, "U2F");
      assert.equal(await send(userId, acme.owner.token), "done");
      const device = await follow(userId, email);
      const sessionId = await keys.sessionFor(userId);
      const first = await keys.answer(sessionId, device.get(await keys.challenge(sessionId)));
      assert.equal(await lives(server, first.body.sessionToken), false);
      const second = await keys.answer(sessionId, own.get(await keys.challenge(sessionId, "DISCOURAGED")));
      assert.equal(await lives(server, second.body.sessionToken), true);
    });

    await t.test("a passkey that the user had already is needed beside it where two factors are", async () => {
      const { userId, email } = await makeUser("owner-of-a-passkey");
      const own = createAuthenticator({ origin: server.origin });
      await keys.register(userId, own, "Passkey");
      server.clock.now += 1000;
      assert.equal(await send(userId, acme.owner.token), "done");
      const device = await follow(userId, email);
      await changeSettings(server, "login", { forceMfa: true }, acme.organizationId);
      const sessionId = await keys.sessionFor(userId);
      const first = await keys.answer(sessionId, device.get(await keys.challenge(sessionId)));
      assert.equal(await lives(server, first.body.sessionToken), false);
      const second = await keys.answer(sessionId, own.get(await keys.challenge(sessionId)));
      assert.equal(await lives(server, second.body.sessionToken), true);
      await changeSettings(server, "login", { forceMfa: false }, acme.organizationId);
      assert.equal(await lives(server, await signIn(userId, device)), true, "otherwise it is enough");
    });

    await t.test("it stays one factor when the passkey that the user had already is replaced", async () => {
      const { userId, email } = await makeUser("replaces");
      const former = await keys.register(userId, createAuthenticator({ origin: server.origin }), "Passkey");
      server.clock.now += 1000;
      assert.equal(await send(userId, acme.owner.token), "done");
      const device = await follow(userId, email);
      await changeSettings(server, "login", { forceMfa: true }, acme.organizationId);
      server.clock.now += 1000;
      const own = createAuthenticator({ origin: server.origin });
      await keys.register(userId, own, "Passkey");
      await callUser(server, "RemovePasskey", { userId, passkeyId: former });
      assert.equal(await lives(server, await signIn(userId, device)), false, "the passkey of the message");
      assert.equal(await lives(server, await signIn(userId, own)), true, "the user's own");
      await changeSettings(server, "login", { forceMfa: false }, acme.organizationId);
    });

    await t.test("a passkey that is registered by it alone is one factor as well", async () => {
      const own = createAuthenticator({ origin: server.origin });
      /** Registers a passkey with a token, by a code or without one; whether it is two factors then. */
      const isTwo = async (userId: string, token: string, code?: object) => {
        const device = createAuthenticator({ origin: server.origin });
        const begun = await callUser(server, "RegisterPasskey", { userId, domain: "", code }, token);
        const { method, body } = keys.finish(userId, begun, device.create(begun.publicKeyCredentialCreationOptions));
        await callUser(server, method, body, token);
        await changeSettings(server, "login", { forceMfa: true }, acme.organizationId);
        const isEnough = await lives(server, await signIn(userId, device));
        await changeSettings(server, "login", { forceMfa: false }, acme.organizationId);
        return isEnough;
      };
      const { userId, email } = await makeUser("chain");
      await keys.register(userId, own, "Passkey");
      server.clock.now += 1000;
      assert.equal(await send(userId, acme.owner.token), "done");
      const opened = await follow(userId, email);
      const byMessage = await signIn(userId, opened);
      const proven = await signIn(userId, own);
      const body = { checks: { user: { userId } }, challenges: { webAuthN: { domain: "localhost" } } };
      const required = { userVerificationRequirement: "USER_VERIFICATION_REQUIREMENT_REQUIRED" };
      Object.assign(body.challenges.webAuthN, required);
      const asked = (await server.rest("POST", "/v2/sessions", { token: loginToken, body })).body;
      const options = asked.challenges.webAuthN.publicKeyCredentialRequestOptions;
      const checks = { webAuthN: { credentialAssertionData: opened.get(options) } };
      const path = `/v2/sessions/${asked.sessionId}`;
      assert.equal((await server.rest("PATCH", path, { token: loginToken, body: { checks } })).status, 200);

      assert.equal(await isTwo(userId, byMessage), false, "in its session");
      const link = "/auth/v1/users/me/passwordless/_send_link";
      assert.equal(slugOf(await server.rest("POST", link, { token: byMessage, body: {} })), "done");
      const linked = await follow(userId, email);
      await changeSettings(server, "login", { forceMfa: true }, acme.organizationId);
      assert.equal(await lives(server, await signIn(userId, linked)), false, "by a link to oneself");
      const refused = await refusalOf(server, "RegisterPasskey", { userId, domain: "" }, loginToken);
      assert.equal(refused, "user.login_client_unproven", "through a sign-in application");
      await changeSettings(server, "login", { forceMfa: false }, acme.organizationId);
      assert.equal(await isTwo(userId, loginToken), false, "where one factor is enough there");
      const returned = { userId, returnCode: {} };
      const { code } = await callUser(server, "CreatePasskeyRegistrationLink", returned, loginToken);
      assert.equal(await isTwo(userId, loginToken, code), false, "by a code that was returned there");
      assert.equal(await isTwo(userId, proven), true, "in the session of the user's own passkey");
    });

    await t.test("users who just proved all of their factors send themselves a passkey of two", async () => {
      const user = await make(server, acme, "self", server.ownerToken);
      const { userId } = user;
      const prove = await addApp(server, userId);
      const checks = { user: { userId }, password: { password: user.password }, ...prove() };
      const { sessionToken } = (await server.rest("POST", "/v2/sessions", { body: { checks } })).body;
      const link = "/auth/v1/users/me/passwordless/_send_link";
      assert.equal(slugOf(await server.rest("POST", link, { token: sessionToken, body: {} })), "done");
      const device = await follow(userId, "self@mail.example");
      assert.equal(await lives(server, await signIn(userId, device)), true);
    });

    // The last one: the tokens of the administrators end meanwhile.
    await t.test("a security key adds nothing to one that is too old", async () => {
      const { userId, email } = await makeUser("late");
      const own = createAuthenticator({ origin: server.origin });
      await keys.register(userId, own, "U2F");
      assert.equal(await send(userId, acme.owner.token), "done");
      const device = await follow(userId, email);
      const late = await keys.sessionFor(userId);
      await keys.answer(late, device.get(await keys.challenge(late)));
      server.clock.now += 3 * 24 * 3_600_000;
      const alone = await keys.answer(late, own.get(await keys.challenge(late, "DISCOURAGED")));
      assert.equal(await lives(server, alone.body.sessionToken), false, "beside one that is too old");
      await keys.answer(late, device.get(await keys.challenge(late)));
      const again = await keys.answer(late, own.get(await keys.challenge(late, "DISCOURAGED")));
      assert.equal(await lives(server, again.body.sessionToken), true);
    });
  });

  test("an invitation opens nothing for a user who has a factor by now", async (t) => {
    const server = await start(t);
    const acme = await addStaff(server, "acme");
    const { codeOf, accept, signIn } = mailboxAt(server);
    const invite = async (name: string) => {
      const human = {
        profile: { givenName: name, familyName: "V" },
        email: { email: `${name}@mail.example`, isVerified: true },
      };
      const body = { organizationId: acme.organizationId, username: name, human };
      const token = acme.clerk.token;
      const { id: userId } = (await server.rest("POST", "/v2/users/new", { token, body })).body;
      const sent = await server.rest("POST", `/v2/users/${userId}/invite_code`, { token, body: { sendCode: {} } });
      assert.equal(sent.status, 200, JSON.stringify(sent.body));
      return { userId: String(userId), code: await codeOf(`${name}@mail.example`) };
    };

    const guarded = await invite("guarded");
    await addApp(server, guarded.userId);
    assert.equal(await accept(guarded.userId, guarded.code), undefined);

    const plain = await invite("plain");
    const device = await accept(plain.userId, plain.code);
    assert.ok(device, "a user without any is let in by it");
    assert.equal(await lives(server, await signIn(plain.userId, device)), true);
    const prove = await addApp(server, plain.userId);
    assert.equal(await lives(server, await signIn(plain.userId, device)), false, "one factor beside the app");
    assert.equal(await lives(server, await signIn(plain.userId, device, prove())), true);
  });
});
