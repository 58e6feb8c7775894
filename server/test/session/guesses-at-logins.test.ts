import assert from "node:assert/strict";
import { keysAt } from "../factor/key-support.ts";
import { addApp, callUser, inboxOf, slugOf } from "../factor/support.ts";
import { setUpOidc } from "../support/oidc/oidc.ts";
import { addPerson, type Person } from "../support/people/people.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";
import { createAuthenticator } from "../support/sign-in/authenticator.ts";
import { atHome, ofStranger, ofUser, type Said } from "../support/sign-in/said-users.ts";
import { appCode } from "../support/sign-in/totp.ts";

async function setUp(server: TestServer) {
  const { loginToken } = await setUpOidc(server);
  const vera = await addPerson(server, { username: "vera" });
  const open = async (checks: object, said: Said = {}, token: string | undefined = loginToken) =>
    server.rest("POST", "/v2/sessions", {
      ...(token !== "" && { token }),
      body: { checks: { user: { userId: vera.userId }, ...checks }, userAgent: said },
    });
  const enter = async (password: string, said?: Said, token?: string) =>
    slugOf(await open({ password: { password } }, said, token));
  return { loginToken, vera, open, enter };
}

/** Sets a new password with the code of a message, through the sign-in application. */
async function reset(server: TestServer, { userId }: Person, token: string, wrong = 0): Promise<string> {
  const password = "a wholly new passphrase";
  server.clock.now += 1000;
  const { verificationCode } = await callUser(server, "PasswordReset", { userId, returnCode: {} });
  const set = async (code: string) => {
    const body = { userId, newPassword: { password }, verificationCode: code };
    return slugOf(await server.connect("service.user.v2.UserService/SetPassword", body, { token }));
  };
  for (let count = 0; count < wrong; count++) assert.equal(await set("WRONG1"), "user.code_invalid");
  assert.equal(await set(verificationCode), "done");
  return password;
}

serversInTurn((start, test) => {
  test("wrong passwords at a sign-in application count for the address that it names (M1)", async (t) => {
    const server = await start(t);
    const { vera, enter } = await setUp(server);
    for (let guess = 0; guess < 15; guess++) assert.equal(await enter("guess", ofStranger), "user.password_wrong");
    assert.equal(await enter("guess", ofStranger), "password.throttled");
    assert.equal(await enter(vera.password, ofStranger), "password.throttled", "the right one is not told there");
    const mapped = { ip: `::ffff:${ofStranger.ip}` };
    assert.equal(await enter(vera.password, mapped), "password.throttled", "the same address in another form");
    assert.equal(await enter(vera.password, ofUser), "done");
  });

  test("one stranger who never stops keeps the user out of no sign-in application that names addresses (M1)", async (t) => {
    const server = await start(t);
    const { vera, enter } = await setUp(server);
    for (let second = 1; second <= 1200; second++) {
      server.clock.now += 1000;
      if (second % 5 === 0) await enter("guess", ofStranger);
      if (second % 97 === 96) assert.equal(await enter(vera.password, ofUser), "done", `second ${second}`);
    }
  });

  test("browsers that the user knows, and a new password, work while a password rests (M1)", async (t) => {
    const server = await start(t);
    const { loginToken, vera, enter } = await setUp(server);
    assert.equal(await enter(vera.password, atHome), "done");
    for (let guess = 0; guess < 40; guess++) {
      await enter("guess", { ip: `203.0.113.${guess + 1}` });
      server.clock.now += 5_000;
    }
    assert.equal(await enter("guess", { ip: "203.0.113.99" }), "password.throttled");
    assert.equal(await enter(vera.password, ofUser), "password.throttled", "in a new browser");
    const other = { ...ofUser, fingerprintId: "another browser" };
    assert.equal(await enter(vera.password, other), "password.throttled", "in a browser without a sign-in");
    assert.equal(await enter(vera.password, atHome), "done");
    for (let guess = 0; guess < 15; guess++) assert.equal(await enter("guess", atHome), "user.password_wrong");
    assert.equal(await enter(vera.password, atHome), "password.throttled", "that allowance is limited as well");
    const password = await reset(server, vera, loginToken);
    for (const said of [atHome, ofUser, ofStranger]) assert.equal(await enter(password, said), "done");
  });

  test("a new password is not held up by guesses at the former one from the same address (M1)", async (t) => {
    const server = await start(t);
    const { loginToken, vera, enter } = await setUp(server);
    for (let guess = 0; guess < 16; guess++) await enter("guess", ofUser);
    assert.equal(await enter(vera.password, ofUser), "password.throttled");
    assert.equal(await enter(await reset(server, vera, loginToken), ofUser), "done");
  });

  test("where a sign-in application names no address, only the delays of the password hold guesses up (M1)", async (t) => {
    const server = await start(t);
    const { vera, enter } = await setUp(server);
    for (const said of [{}, { ip: "" }, { ip: "none of an address" }]) {
      for (let guess = 0; guess < 19; guess++) assert.equal(await enter("guess", said), "user.password_wrong");
      assert.equal(await enter(vera.password, said), "done");
    }
    for (let guess = 0; guess < 20; guess++) await enter("guess");
    server.clock.now += 3_000;
    assert.equal(await enter("guess"), "password.throttled");
    server.clock.now += 3_000;
    assert.equal(await enter(vera.password), "done");
  });

  test("nothing but a sign-in application names the source of its guesses (M1)", async (t) => {
    const server = await start(t);
    const { vera, enter } = await setUp(server);
    const said = (guess: number) => ({ ip: `203.0.113.${guess + 1}`, fingerprintId: "browser at home" });
    assert.equal(await enter(vera.password, said(0), ""), "done");
    for (let guess = 0; guess < 15; guess++) {
      assert.equal(await enter("guess", said(guess), ""), "user.password_wrong");
    }
    assert.equal(await enter(vera.password, said(20), ""), "password.throttled");
  });

  test("wrong codes of a stranger at a sign-in application do not stop the code of the user (M1)", async (t) => {
    const server = await start(t);
    const { loginToken, vera, enter } = await setUp(server);
    assert.equal(await enter(await reset(server, vera, loginToken, 20), ofUser), "done");
  });

  test("a sign-in application gets no code evaluated before a first factor, and none is counted (M2)", async (t) => {
    const server = await start(t);
    const { loginToken: token, vera, open } = await setUp(server);
    const { userId } = vera;
    const secret = await addApp(server, vera, (of) => appCode(of, server.clock.now, 0));
    const { recoveryCodes } = await callUser(server, "GenerateRecoveryCodes", { userId, count: 3 });
    await callUser(server, "AddOTPEmail", { userId });
    const set = (sessionId: string, checks: object) =>
      server.rest("PATCH", `/v2/sessions/${sessionId}`, { token, body: { checks } });
    const { sessionId } = (await open({})).body;
    const asked = await server.rest("PATCH", `/v2/sessions/${sessionId}`, {
      token,
      body: { challenges: { otpEmail: { sendCode: {} } } },
    });
    assert.equal(slugOf(asked), "done");
    const refusal = "session.first_factor_missing";
    for (let guess = 0; guess < 12; guess++) {
      for (const wrong of [
        { totp: { code: "000000" } },
        { recoveryCode: { code: "AAAABBBBCCCCDDDD" } },
        { otpEmail: { code: "00000000" } },
      ]) {
        assert.equal(slugOf(await set(sessionId, wrong)), refusal);
        assert.equal(slugOf(await open(wrong)), refusal);
        const both = await open({ password: { password: "guess" }, ...wrong }, { ip: `203.0.113.${guess}` });
        assert.match(slugOf(both), /^(user\.password_wrong|password\.throttled)$/);
      }
      server.clock.now += 60_000;
    }
    server.clock.now += 3_600_000;
    const totp = { code: appCode(secret, server.clock.now, 0) };
    assert.equal(slugOf(await set(sessionId, { totp })), refusal, "nor the right one");
    const password = { password: vera.password };
    assert.equal(slugOf(await open({ totp, password })), "done", "all in one request, in any order");
    assert.equal(slugOf(await set(sessionId, { password })), "done");
    assert.equal(slugOf(await set(sessionId, { recoveryCode: { code: recoveryCodes?.[0] } })), "done", "one by one");
    const challenges = { otpEmail: { sendCode: {} } };
    assert.equal(
      slugOf(await server.rest("PATCH", `/v2/sessions/${sessionId}`, { token, body: { challenges } })),
      "done",
    );
    const [mail] = await inboxOf(server, "vera@mail.example");
    assert.equal(slugOf(await set(sessionId, { otpEmail: { code: mail?.code } })), "done");
    assert.equal(slugOf(await set(sessionId, { totp: { code: "000000" } })), "factor.code_wrong", "then codes count");
  });

  test("a passkey that verified the user is a first factor for codes, in the same request as well (M2)", async (t) => {
    const server = await start(t);
    const { loginToken: token, vera, open } = await setUp(server);
    const device = createAuthenticator({ origin: server.origin });
    await keysAt(server).register(vera.userId, device, "Passkey");
    const { recoveryCodes } = await callUser(server, "GenerateRecoveryCodes", { userId: vera.userId, count: 5 });
    const change = (sessionId: string, body: object) =>
      server.rest("PATCH", `/v2/sessions/${sessionId}`, { token, body });
    for (const [required, expected] of [
      ["REQUIRED", "done"],
      ["DISCOURAGED", "session.first_factor_missing"],
    ]) {
      const { sessionId } = (await open({})).body;
      const userVerificationRequirement = `USER_VERIFICATION_REQUIREMENT_${required}`;
      const answer = async () => {
        const challenges = { webAuthN: { domain: "localhost", userVerificationRequirement } };
        const { body } = await change(sessionId, { challenges });
        const options = body.challenges.webAuthN.publicKeyCredentialRequestOptions;
        return { credentialAssertionData: device.get(options, { isVerified: required === "REQUIRED" }) };
      };
      const recoveryCode = () => ({ code: recoveryCodes?.pop() ?? "" });
      const joined = { recoveryCode: recoveryCode(), webAuthN: await answer() };
      assert.equal(slugOf(await change(sessionId, { checks: joined })), expected, "in one request");
      assert.equal(slugOf(await change(sessionId, { checks: { webAuthN: await answer() } })), "done");
      assert.equal(slugOf(await change(sessionId, { checks: { recoveryCode: recoveryCode() } })), expected, "then");
    }
  });

  test("other writers of sessions have codes checked before a first factor, as before (M2)", async (t) => {
    const server = await start(t);
    const { vera, open } = await setUp(server);
    const { recoveryCodes } = await callUser(server, "GenerateRecoveryCodes", { userId: vera.userId, count: 3 });
    await addApp(server, vera, (of) => appCode(of, server.clock.now, 0));
    assert.equal(slugOf(await open({ recoveryCode: { code: "AAAABBBBCCCCDDDD" } }, {}, "")), "factor.code_wrong");
    assert.equal(slugOf(await open({ recoveryCode: { code: recoveryCodes?.[0] } }, {}, "")), "done");
  });
});
