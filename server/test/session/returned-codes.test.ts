import assert from "node:assert/strict";
import { callUser } from "../factor/support.ts";
import { deviceConfiguration, deviceGrant } from "../oauth/device/support.ts";
import { setUpOidc } from "../support/oidc/oidc.ts";
import { addOrganization, addPerson, appoint } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import { appCode } from "../support/sign-in/totp.ts";

const scope = "openid offline_access urn:service:iam:org:project:id:service:aud";

serversInTurn((start, test) => {
  test("a code that a sign-in application was given makes it no administrator, by any request (A14)", async (t) => {
    const server = await start(t);
    const oidc = await setUpOidc(server);
    const { loginToken, form } = oidc;
    const grantTypes = ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE", "OIDC_GRANT_TYPE_REFRESH_TOKEN"];
    const client = await oidc.createClient({ grantTypes });
    const device = await oidc.createClient(deviceConfiguration);
    await oidc.trust(client);
    await oidc.trust(device);
    await changeSettings(server, "login", { secondFactors: ["totp", "otp_email"] });
    const user = await addPerson(server, { username: "grace" });
    const { userId, password } = user;
    await callUser(server, "AddOTPEmail", { userId });
    const { secret } = await callUser(server, "RegisterTOTP", { userId });
    await callUser(server, "VerifyTOTPRegistration", { userId, code: appCode(secret, server.clock.now) });
    server.clock.now += 60_000;

    const open = async (checks: object, challenges?: object) => {
      const body = {
        checks: { user: { userId }, password: { password }, ...checks },
        ...(challenges && { challenges }),
      };
      const made = await server.rest("POST", "/v2/sessions", { token: loginToken, body });
      assert.equal(made.status, 201, JSON.stringify(made.body));
      return made.body;
    };
    const begin = async () => {
      const { sessionId, challenges } = await open({}, { otpEmail: { returnCode: {} } });
      const body = { checks: { otpEmail: { code: challenges.otpEmail } } };
      return async () => {
        const path = `/v2/sessions/${sessionId}`;
        const { body: checked } = await server.rest("PATCH", path, { token: loginToken, body });
        return { sessionId: String(sessionId), sessionToken: String(checked.sessionToken) };
      };
    };
    const own = async () => {
      const { sessionId, sessionToken } = await open({ totp: { code: appCode(secret, server.clock.now) } });
      return { sessionId: String(sessionId), sessionToken: String(sessionToken) };
    };
    const tokensBy = (session: { sessionId: string; sessionToken: string }) =>
      oidc.tokens({ client, scope, session, user }).catch(() => undefined);
    const approve = async (session: { sessionId: string; sessionToken: string }) => {
      const asked = await form("/oauth/v2/device_authorization", { client_id: device.clientId, scope });
      const path = "/v2/oidc/device_authorization";
      const found = await server.rest("GET", `${path}/${asked.body.user_code}`, { token: loginToken });
      const { id } = found.body.deviceAuthorizationRequest;
      const decided = await server.rest("POST", `${path}/${id}`, { token: loginToken, body: { session } });
      const redeem = () =>
        form("/oauth/v2/token", {
          grant_type: deviceGrant,
          device_code: asked.body.device_code,
          client_id: device.clientId,
        });
      return { status: decided.status, body: decided.body, redeem };
    };
    const may = async (token: string | undefined) =>
      (await server.rest("POST", "/admin/v1/members/_search", { token: token ?? "", body: {} })).status;
    const renew = (token: string | undefined) =>
      form("/oauth/v2/token", { grant_type: "refresh_token", refresh_token: token ?? "" }, client.basic);

    const returned = await (await begin())();
    const proven = await own();
    const [early, kept] = [await tokensBy(returned), await tokensBy(proven)];
    assert.equal(await may(early?.["access_token"]), 403, "the user is signed in, and administers nothing");
    const waiting = await approve(returned);
    assert.equal(waiting.status, 200, "a user without roles is signed in by it");
    const [pending, late] = [await begin(), await begin()];
    const checked = await late();

    await appoint(server, { userId }, { instance: true }, ["IAM_OWNER"]);
    assert.equal(await may(returned.sessionToken), 401);
    assert.equal(await may(early?.["access_token"]), 401, "what was issued ends");
    assert.equal((await renew(early?.["refresh_token"])).status, 400);
    assert.equal((await waiting.redeem()).status, 400, "and the device gets nothing");
    assert.equal(await may(kept?.["access_token"]), 200, "what the user proved stays");
    assert.equal((await renew(kept?.["refresh_token"])).status, 200);

    server.clock.now += 60_000;
    for (const session of [returned, checked, await pending()]) {
      assert.equal(await tokensBy(session), undefined);
      assert.equal((await approve(session)).status, 403);
    }
    const fresh = await own();
    assert.equal(await may((await tokensBy(fresh))?.["access_token"]), 200);
    const approved = await approve(fresh);
    assert.equal(approved.status, 200, JSON.stringify(approved.body));
  });

  test("a returned code that another administrator asked for counts for no administrator either (A14)", async (t) => {
    const server = await start(t);
    const oidc = await setUpOidc(server);
    await changeSettings(server, "login", { secondFactors: ["otp_email"] });
    const user = await addPerson(server, { username: "gretel" });
    const { userId, password } = user;
    await callUser(server, "AddOTPEmail", { userId });
    server.clock.now += 60_000;
    const resource = { instance: true };
    await appoint(server, user, resource, ["IAM_OWNER_VIEWER"]);
    const checks = { user: { userId }, password: { password } };
    const body = { checks, challenges: { otpEmail: { returnCode: {} } } };
    // An owner of the instance may have the code of anyone; it counts for no administrator.
    const begun = await server.rest("POST", "/v2/sessions", { body });
    const code = { checks: { otpEmail: { code: begun.body.challenges.otpEmail } } };
    const { sessionId } = begun.body;
    const { sessionToken } = (await server.rest("PATCH", `/v2/sessions/${sessionId}`, { body: code })).body;
    const answer = () => oidc.tokens({ session: { sessionId, sessionToken }, user });
    await assert.rejects(answer());
    const removed = { userId, resource };
    const path = "service.internal_permission.v2.InternalPermissionService/DeleteAdministrator";
    assert.equal((await server.connect(path, removed)).status, 200);
    assert.ok((await answer())["access_token"], "without roles it counts");
  });

  test("a sign-in that the organization allowed and the instance does not carries no role in the instance (A26)", async (t) => {
    const server = await start(t);
    const oidc = await setUpOidc(server);
    await oidc.trust();
    await changeSettings(server, "login", { forceMfa: true });
    const acme = await addOrganization(server, "Acme");
    await changeSettings(server, "login", { forceMfa: false }, acme);
    const scopes = "openid urn:service:iam:org:project:id:service:aud";
    const lives = async (token: string | undefined) =>
      (await server.rest("GET", "/auth/v1/users/me", { token: token ?? "" })).status === 200;
    for (const [role, resource, factors] of [
      ["IAM_OWNER_VIEWER", { instance: true }, 1],
      ["IAM_OWNER_VIEWER", { instance: true }, 2],
      ["ORG_OWNER_VIEWER", { organizationId: acme }, 1],
    ] as const) {
      const user = await addPerson(server, { username: `${role}-${factors}`.toLowerCase(), organizationId: acme });
      const { userId, password } = user;
      const { secret } = await callUser(server, "RegisterTOTP", { userId });
      const isTwo = factors === 2;
      if (isTwo) {
        const code = appCode(secret, server.clock.now);
        await callUser(server, "VerifyTOTPRegistration", { userId, code });
        server.clock.now += 60_000;
      }
      const totp = isTwo ? { totp: { code: appCode(secret, server.clock.now) } } : {};
      const checks = { user: { userId }, password: { password }, ...totp };
      const { sessionId, sessionToken } = (await server.rest("POST", "/v2/sessions", { body: { checks } })).body;
      const session = { sessionId, sessionToken };
      const { access_token: token } = await oidc.tokens({ scope: scopes, session, user });
      assert.equal(await lives(token), true, "before");
      await appoint(server, user, resource, [role]);
      assert.equal(await lives(token), isTwo || role === "ORG_OWNER_VIEWER", `${role} by ${factors}`);
    }
  });
});
