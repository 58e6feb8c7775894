import assert from "node:assert/strict";
import { callUser, refusalOf } from "../../factor/support.ts";
import { addServiceAccount } from "../../support/people/owners.ts";
import { appoint, defaultOrganization } from "../../support/people/people.ts";
import { changeSettings } from "../../support/servers/change-settings.ts";
import { type Start, serversInTurn } from "../../support/servers/each-server.ts";
import { addClient } from "../../support/sign-in/sign-in-client.ts";
import { TestBrowser } from "../../support/sign-in/test-browser.ts";
import { enter, isBack, signedIn, visit } from "../support/sign-in.ts";
import { codeTo, grace, isAsked } from "../support/sign-up.ts";

const address = "vera@mail.example";
const own = "a sentence that only vera knows";
const known = "what mallory alone knows";

/** An account with an unproven address, whose owner has registered with it and got the message. */
async function setUp(start: Start, t: Parameters<Start>[0]) {
  const server = await start(t);
  await changeSettings(server, "login", { allowRegister: true });
  const home = await defaultOrganization(server);
  const login = await addServiceAccount(server, home, "custom-login");
  await appoint(server, login, { instance: true }, ["IAM_LOGIN_CLIENT"]);
  const client = await addClient(server);
  const human = {
    profile: { givenName: "Vera", familyName: "Real" },
    email: { email: address, sendCode: {} },
    password: { password: known },
  };
  const { id: userId } = await callUser(server, "CreateUser", { organizationId: home, human }, login.token);
  server.clock.now += 60_000;
  const registering = await visit(server, client, { prompt: "create" });
  assert.ok(isAsked(await registering.browser.submit(registering.page, { ...grace, email: address })));
  const code = await codeTo(server, address);
  /** Mallory does something in a session of the sign-in application. */
  const asMallory = async (method: string, more: object = {}) => {
    const checks = { user: { userId }, password: { password: known } };
    assert.equal((await server.rest("POST", "/v2/sessions", { body: { checks }, token: login.token })).status, 201);
    return callUser(server, method, { userId, ...more }, login.token);
  };
  const begin = async () => {
    const vera = new TestBrowser(server);
    const form = await vera.open(`/ui/login/initialization?user=${userId}&code=${code}`);
    const set = await vera.submit(form, { new_password: own, new_password_repeated: own });
    assert.match(set.address, /password-set/, set.html);
    server.clock.now += 60_000;
  };
  const signIn = async () => enter(await visit(server, client), { loginName: address, password: own });
  const methods = async (): Promise<string[]> =>
    (await server.rest("GET", `/v2/users/${userId}/authentication_methods`)).body.authMethodTypes;
  return { server, client, userId, asMallory, begin, signIn, methods };
}

serversInTurn((start, test) => {
  for (const isForced of [true, false]) {
    test(`recovery codes of before keep no owner out; two factors forced ${isForced ? "before" : "after"}`, async (t) => {
      const { server, asMallory, begin, signIn, methods } = await setUp(start, t);
      if (isForced) await changeSettings(server, "login", { forceMfa: true });
      await asMallory("GenerateRecoveryCodes", { count: 10 });
      assert.ok((await methods()).includes("AUTHENTICATION_METHOD_TYPE_RECOVERY_CODE"));
      await begin();
      assert.deepEqual(await methods(), ["AUTHENTICATION_METHOD_TYPE_PASSWORD"]);
      await changeSettings(server, "login", { forceMfa: true });
      assert.match((await signIn()).address, /add-factor/);
    });
  }

  test("recovery codes alone lead to setting up a factor, and with another one they stand in for it", async (t) => {
    const { server, client, userId, begin, signIn } = await setUp(start, t);
    await begin();
    const { recoveryCodes } = await callUser(server, "GenerateRecoveryCodes", { userId, count: 3 });
    await signedIn(server, { loginName: address, password: own });
    const secondFactors = ["totp", "otp_email", "recovery_codes"] as const;
    await changeSettings(server, "login", { forceMfa: true, secondFactors });
    assert.match((await signIn()).address, /add-factor/);
    await callUser(server, "AddOTPEmail", { userId });
    const visitor = await visit(server, client);
    const asked = await enter(visitor, { loginName: address, password: own });
    assert.match(asked.address, /second-factor/);
    const { browser, authRequestId } = visitor;
    const typed = await browser.open(`/ui/login/second-factor?authRequest=${authRequestId}&by=recovery_codes`);
    assert.ok(isBack(await browser.submit(typed, { code: recoveryCodes[0] })));
  });

  test("nothing is left of an authenticator app whose registration began before", async (t) => {
    const { server, userId, asMallory, begin } = await setUp(start, t);
    const guess = () => refusalOf(server, "VerifyTOTPRegistration", { userId, code: "000000" });
    await asMallory("RegisterTOTP");
    assert.equal(await guess(), "factor.code_wrong");
    await begin();
    assert.equal(await guess(), "factor.registration_absent");
  });

  test("browsers of before are unknown ones for guesses at the new password", async (t) => {
    const { server, client, userId, begin } = await setUp(start, t);
    await changeSettings(server, "lockout", { maxPasswordAttempts: 0 });
    const mallory = await signedIn(server, { loginName: address, password: known });
    await begin();
    const vera = await signedIn(server, { loginName: address, password: own });
    for (let count = 0; count < 15; count++) {
      const checks = { user: { userId }, password: { password: `guess ${count}` } };
      assert.equal((await server.rest("POST", "/v2/sessions", { body: { checks } })).status, 400);
    }
    const isIn = async (browser: TestBrowser) => {
      const { page } = await visit(server, client, { prompt: "login", login_hint: address }, browser);
      const isNamed = page.address.startsWith("/ui/login/continue");
      const asked = isNamed ? page : await browser.submit(page, { login_name: address }, { action: "/ui/login" });
      return isBack(await browser.submit(asked, { password: own }));
    };
    assert.equal(await isIn(mallory), false, "the guess is not even checked");
    assert.equal(await isIn(vera), true, "a browser of hers");
  });
});
