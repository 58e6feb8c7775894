import assert from "node:assert/strict";
import { test } from "node:test";
import { callUser } from "../factor/support.ts";
import { addStaff } from "../identity-provider/trusted.ts";
import { setUpOidc } from "../support/oidc/oidc.ts";
import { addPerson, appoint } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { eachServer } from "../support/servers/each-server.ts";
import { appCode } from "../support/sign-in/totp.ts";

const scope = "openid offline_access urn:service:iam:org:project:id:service:aud";
const organizations = "service.org.v2.OrganizationService";

eachServer((start) => {
  test("sessions by weaker settings end when the instance appoints their user, whatever holds by then (A26)", async (t) => {
    const server = await start(t);
    const oidc = await setUpOidc(server);
    const grantTypes = ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE", "OIDC_GRANT_TYPE_REFRESH_TOKEN"];
    const client = await oidc.createClient({ grantTypes });
    await oidc.trust(client);
    const { organizationId } = await addStaff(server, "acme");
    await changeSettings(server, "login", { forceMfa: true });
    const weaken = () => changeSettings(server, "login", { forceMfa: false }, organizationId);
    const may = async (token: string | undefined) =>
      (await server.rest("POST", "/admin/v1/members/_search", { token: token ?? "none", body: {} })).status;
    const reset = async () => {
      const headers = { "x-service-orgid": organizationId };
      assert.equal((await server.rest("DELETE", "/management/v1/policies/login", { headers })).status, 200);
    };
    let count = 0;
    /** What a user can do with what was issued in a session before they were appointed. */
    const follow = async (
      { hasApp = false, role = "IAM_OWNER" }: { readonly hasApp?: boolean; readonly role?: string },
      before: () => Promise<unknown>,
      after: () => Promise<unknown> = async () => undefined,
    ) => {
      await weaken();
      const user = await addPerson(server, { username: `appointed-${++count}`, organizationId });
      const { userId, password } = user;
      let checks: object = { user: { userId }, password: { password } };
      if (hasApp) {
        const { secret } = await callUser(server, "RegisterTOTP", { userId });
        await callUser(server, "VerifyTOTPRegistration", { userId, code: appCode(secret, server.clock.now) });
        server.clock.now += 60_000;
        checks = { ...checks, totp: { code: appCode(secret, server.clock.now) } };
      }
      const made = await server.rest("POST", "/v2/sessions", { token: oidc.loginToken, body: { checks } });
      const session = { sessionId: String(made.body.sessionId), sessionToken: String(made.body.sessionToken) };
      const early = await oidc.tokens({ client, scope, session, user });
      assert.equal(await may(early["access_token"]), 403, "nothing is administered yet");
      await before();
      await appoint(server, user, role === "IAM_OWNER" ? { instance: true } : { organizationId }, [role]);
      await after();
      const form = { grant_type: "refresh_token", refresh_token: early["refresh_token"] ?? "" };
      const renewed = await oidc.form("/oauth/v2/token", form, client.basic);
      return [await may(early["access_token"]), renewed.status, await may(renewed.body.access_token)];
    };
    const nothing = async () => undefined;

    assert.deepEqual(await follow({}, nothing), [401, 400, 401], "the organization has settings of its own");
    assert.deepEqual(await follow({}, reset), [401, 400, 401], "it gave them up before");
    const down = () => server.connect(`${organizations}/DeactivateOrganization`, { organizationId });
    const up = () => server.connect(`${organizations}/ActivateOrganization`, { organizationId });
    assert.deepEqual(await follow({}, down, up), [401, 400, 401], "it was deactivated meanwhile");
    const relax = () => changeSettings(server, "login", { forceMfa: false });
    const demand = () => changeSettings(server, "login", { forceMfa: true });
    await relax();
    assert.deepEqual(await follow({}, demand), [401, 400, 401], "the instance became stricter");
    assert.deepEqual(await follow({ hasApp: true }, reset), [200, 200, 200], "two factors are enough for both");
    assert.deepEqual(await follow({ role: "ORG_OWNER" }, reset), [403, 200, 403], "of the organization alone");
    await relax();
    assert.deepEqual(await follow({}, reset), [200, 200, 200], "the instance asks for no more");
  });
});
