import assert from "node:assert/strict";
import { decodeJwt } from "jose";
import { fetch } from "../support/http/fetch.ts";
import { setUpOidc } from "../support/oidc/oidc.ts";
import { addOrganization, addPerson, sessionOf } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import { TestBrowser } from "../support/sign-in/test-browser.ts";
import { appCode } from "../support/sign-in/totp.ts";
import { addApp, addMember, callUser, createSession, setSession } from "./support.ts";

serversInTurn((start, test) => {
  test("a user with a second factor is signed in with two", async (t) => {
    const server = await start(t);
    const oidc = await setUpOidc(server);
    const code = (secret: string, steps = 0) => appCode(secret, server.clock.now, steps);
    const isAccepted = async (token: string) =>
      (await server.rest("POST", "/v2/sessions/search", { body: {}, token })).status === 200;
    const query = new URLSearchParams({
      client_id: oidc.client.clientId,
      redirect_uri: oidc.client.redirectUri,
      response_type: "code",
      scope: "openid",
      code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
      code_challenge_method: "S256",
    });
    /** What the answer to an authorization request with this session is: "answered", or the slug of the refusal. */
    const link = async (session: { sessionId: string; sessionToken: string }): Promise<string> => {
      const visited = await fetch(`${server.origin}/oauth/v2/authorize?${query}`, { redirect: "manual" });
      const id = new URL(visited.headers.get("location") ?? "", server.origin).searchParams.get("authRequest");
      const { sessionId, sessionToken } = session;
      const body = { session: { sessionId, sessionToken } };
      const answer = await server.rest("POST", `/v2/oidc/auth_requests/${id}`, { token: oidc.loginToken, body });
      return answer.status === 200 ? "answered" : answer.body.details[0].id;
    };
    const insufficient = "auth_request.session_insufficient";

    await t.test(
      "one factor is refused as token and as answer; a second one makes it good, and says so in amr",
      async () => {
        const ada = await addMember(server, { username: "grace" });
        const checks = { user: { userId: ada.userId }, password: { password: ada.password } };
        const secret = await addApp(server, ada, code);
        assert.ok(await isAccepted(ada.token), "what was signed in before goes on");
        const { body: half } = await createSession(server, { checks });
        assert.equal(await isAccepted(half.sessionToken), false);
        assert.equal(await link(half), insufficient);
        const again = await setSession(server, ada.sessionId, { checks: { password: checks.password } });
        assert.equal(
          await isAccepted(again.body.sessionToken),
          false,
          "authenticated again, and with one factor alone",
        );
        const only = await createSession(server, { checks: { user: checks.user, totp: { code: code(secret) } } });
        assert.equal(await isAccepted(only.body.sessionToken), false, "a second factor needs a first");

        server.clock.now += 60_000;
        const passwordTime = Math.floor(server.clock.now / 1000);
        const { sessionId } = half;
        const { body: whole } = await setSession(server, sessionId, { checks: { totp: { code: code(secret) } } });
        assert.notEqual(whole.sessionToken, half.sessionToken);
        assert.ok(await isAccepted(whole.sessionToken));
        const session = { sessionId, sessionToken: whole.sessionToken };
        assert.equal(await link({ sessionId, sessionToken: half.sessionToken }), insufficient, "of an earlier write");
        assert.equal(await link(session), "answered");
        const tokens = await oidc.tokens({ session });
        const claims = decodeJwt(tokens["id_token"] ?? "");
        assert.deepEqual([claims["amr"], claims["auth_time"]], [["pwd", "otp", "mfa"], passwordTime]);
        assert.deepEqual((await oidc.introspect(tokens["access_token"] ?? ""))["amr"], ["pwd", "otp", "mfa"]);

        await callUser(server, "RemoveTOTP", { userId: ada.userId });
        assert.ok(await isAccepted(whole.sessionToken), "removing a factor ends nothing");
        const { body: single } = await createSession(server, { checks });
        assert.ok(await isAccepted(single.sessionToken));
        const plain = await oidc.tokens({ session: single });
        assert.deepEqual(decodeJwt(plain["id_token"] ?? "")["amr"], ["pwd"]);
      },
    );

    await t.test(
      "recovery codes stand in for the second factor; two codes of one kind do not make two factors",
      async () => {
        await changeSettings(server, "login", { secondFactors: ["totp", "u2f"] });
        const member = await addMember(server, { username: "mary" });
        const { userId } = member;
        const secret = await addApp(server, member, code);
        await callUser(server, "AddOTPEmail", { userId });
        const { recoveryCodes } = await callUser(server, "GenerateRecoveryCodes", { userId, count: 2 });
        const user = { userId };
        const first = await createSession(server, {
          checks: { user, totp: { code: code(secret) }, recoveryCode: { code: recoveryCodes[0] } },
        });
        assert.equal(first.status, 201);
        assert.equal(await isAccepted(first.body.sessionToken), false);
        const second = await createSession(server, {
          checks: { user, password: { password: member.password }, recoveryCode: { code: recoveryCodes[1] } },
        });
        assert.equal(await isAccepted(second.body.sessionToken), false, "not allowed by the login settings");
        await changeSettings(server, "login", { secondFactors: ["totp", "u2f", "recovery_codes"] });
        assert.ok(await isAccepted(second.body.sessionToken));
      },
    );

    await t.test("a second factor alone signs in no user, not even one without another (A30)", async () => {
      const human = {
        profile: { givenName: "Nell", familyName: "Plain" },
        email: { email: "nell@mail.example", isVerified: true },
      };
      const { id: userId } = await callUser(server, "CreateUser", {
        organizationId: oidc.organizationId,
        username: "nell",
        human,
      });
      await callUser(server, "AddOTPEmail", { userId });
      await changeSettings(server, "login", { secondFactors: ["totp", "u2f", "otp_email"] });
      const challenges = { otpEmail: { returnCode: {} } };
      const { body: asked } = await createSession(server, { checks: { user: { userId } }, challenges });
      assert.equal(await isAccepted(asked.sessionToken), false);
      const otpEmail = { code: asked.challenges.otpEmail };
      const { body } = await setSession(server, asked.sessionId, { checks: { otpEmail } });
      assert.equal(await isAccepted(body.sessionToken), false);
      assert.equal(await link({ sessionId: asked.sessionId, sessionToken: body.sessionToken }), insufficient);
    });

    await t.test("no second factor opens our interfaces without a first one (A30)", async () => {
      const member = await addMember(server, { username: "alan" });
      const { userId } = member;
      const user = { userId };
      const secret = await addApp(server, member, code);
      const { recoveryCodes } = await callUser(server, "GenerateRecoveryCodes", { userId, count: 2 });
      await callUser(server, "AddOTPEmail", { userId });
      await changeSettings(server, "login", { secondFactors: ["totp", "u2f", "otp_email", "recovery_codes"] });
      const challenges = { otpEmail: { returnCode: {} } };
      const { body: asked } = await createSession(server, { checks: { user }, challenges });
      const mailed = { otpEmail: { code: asked.challenges.otpEmail } };
      const alone = [
        (await createSession(server, { checks: { user, totp: { code: code(secret) } } })).body,
        (await createSession(server, { checks: { user, recoveryCode: { code: recoveryCodes[0] } } })).body,
        (await setSession(server, asked.sessionId, { checks: mailed })).body,
      ];
      for (const { sessionId = asked.sessionId, sessionToken } of alone) {
        assert.equal(await isAccepted(sessionToken), false);
        assert.equal(await link({ sessionId, sessionToken }), insufficient);
      }
      const password = { password: { password: member.password } };
      const { body: whole } = await setSession(server, asked.sessionId, { checks: password });
      assert.ok(await isAccepted(whole.sessionToken), "with the password");
      assert.equal(await link({ sessionId: asked.sessionId, sessionToken: whole.sessionToken }), "answered");
    });

    await t.test("an organization may force two, from one moment to the next", async () => {
      const organizationId = await addOrganization(server, "Strict");
      const person = await addPerson(server, { username: "strict", organizationId });
      const { sessionId, token } = await sessionOf(server, person);
      assert.ok(await isAccepted(token));
      for (const change of [{ forceMfa: true }, { forceMfa: false, forceMfaLocalOnly: true }]) {
        await changeSettings(server, "login", change, organizationId);
        assert.equal(await isAccepted(token), false);
        assert.equal(await link({ sessionId, sessionToken: token }), insufficient);
      }
      await changeSettings(server, "login", { forceMfaLocalOnly: false }, organizationId);
      assert.ok(await isAccepted(token));
    });

    await t.test("the hosted login lets no user in with half of the required factors", async () => {
      const member = await addMember(server, { username: "hosted" });
      const browser = new TestBrowser(server);
      const signIn = async () => {
        const named = await browser.submit(await browser.open("/ui/login"), { login_name: member.loginName });
        return browser.submit(named, { password: member.password });
      };
      await addApp(server, member, code);
      const half = await signIn();
      assert.equal(new URL(half.address, server.origin).pathname, "/ui/login/second-factor");
      assert.equal((await browser.open("/ui/login/signed-in")).address, "/ui/login");
      await callUser(server, "RemoveTOTP", { userId: member.userId });
      assert.equal(new URL((await signIn()).address, server.origin).pathname, "/ui/login/signed-in");
    });
  });
});
