import assert from "node:assert/strict";
import { test } from "node:test";
import { methods } from "@doorward/api/methods";
import { isBack, signedIn, visit } from "../../login/support/sign-in.ts";
import { eachEngine } from "../../support/databases/databases.ts";
import { basicOf, type OidcServer, startOidcServer, type TestClient } from "../../support/oidc/oidc.ts";
import { registered, setRegistration } from "../../support/oidc/registration.ts";
import { trustForApi } from "../../support/oidc/trust.ts";
import { addOrganization, addPerson, appoint } from "../../support/people/people.ts";
import { addClient, type SignInClient } from "../../support/sign-in/sign-in-client.ts";
import type { ShownPage, TestBrowser } from "../../support/sign-in/test-browser.ts";

const iam = "urn:service:iam";
const forApis = `openid ${iam}:org:project:id:service:aud`;
const allRights = ["me:read", "me:write", "admin:read", "admin:write"].map((right) => `${iam}:api:${right}`).join(" ");
const users = "service.user.v2.UserService";

const errorOf = ({ address }: ShownPage): string | null => {
  const { searchParams, hash } = new URL(address, "http://localhost");
  return searchParams.get("error") ?? new URLSearchParams(hash.slice(1)).get("error");
};

const isAsked = ({ address }: ShownPage): boolean => address.startsWith("/ui/login/consent?");

const open = async (server: OidcServer, client: SignInClient, browser: TestBrowser, parameters = {}) =>
  (await visit(server, client, parameters, browser)).page;

const allow = (browser: TestBrowser, page: ShownPage): Promise<ShownPage> =>
  browser.submit(page, { decision: "allow" }, { action: "/ui/login/consent" });

/** The tokens of a sign-in in the browser, for which the user consents when asked. */
async function tokensOf(server: OidcServer, client: SignInClient, browser: TestBrowser, scope: string) {
  const { page, codeVerifier } = await visit(server, client, { scope }, browser);
  const back = isAsked(page) ? await allow(browser, page) : page;
  assert.ok(isBack(back), back.html);
  const { status, body } = await client.exchange(back.address, codeVerifier);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

const call = (server: OidcServer, token: string, method: string, body: object = {}) =>
  server.connect(method, body, { token });

const ownUser = (server: OidcServer, token: string) =>
  call(server, token, `${users}/GetUserByID`, { userId: server.user.userId });

eachEngine((_open, engine) => {
  test("no application gets our APIs silently, however it asks (A1)", async (t) => {
    const server = await startOidcServer(t, { engine });
    const browser = await signedIn(server, server.user);
    const instance = await server.app.domain.findInstanceByHost("localhost");
    const elsewhere = await addOrganization(server, "Elsewhere");
    const tenant = await addPerson(server, { username: "tenant", organizationId: elsewhere });
    await appoint(server, tenant, { organizationId: elsewhere }, ["ORG_OWNER"]);
    const code = await addClient(server);
    const implicit = await addClient(server, {
      responseTypes: ["id_token token"],
      grantTypes: ["implicit"],
      accessTokenFormat: "jwt",
    });
    const { origin, port } = new URL(server.origin);
    const asks: readonly Record<string, string>[] = [
      { scope: forApis },
      { scope: "openid urn:zitadel:iam:org:project:id:zitadel:aud" },
      { scope: `openid ${iam}:org:project:id:${instance?.systemProjectId}:aud` },
      { scope: `openid ${iam}:api:me:read` },
      { scope: "openid urn:zitadel:iam:api:admin:write" },
      { resource: origin },
      { resource: `${origin}/` },
      { resource: `${origin}/v2/users` },
      { resource: `HTTP://LOCALHOST:${port}` },
      { resource: `${origin}/%2e/?x` },
    ];
    for (const parameters of asks) {
      const silent = await open(server, code, browser, { ...parameters, prompt: "none" });
      assert.equal(errorOf(silent), "consent_required", JSON.stringify(parameters));
      const front = { response_type: "id_token token", nonce: "n", ...parameters, prompt: "none" };
      assert.equal(errorOf(await open(server, implicit, browser, front)), "consent_required", JSON.stringify(front));
      assert.ok(isAsked(await open(server, code, browser, parameters)), JSON.stringify(parameters));
    }
    const pushed = new URLSearchParams(code.start({ scope: forApis, prompt: "none" }).path.split("?")[1]);
    const { status, body } = await server.form("/oauth/v2/par", Object.fromEntries(pushed));
    assert.equal(status, 201, JSON.stringify(body));
    const reference = new URLSearchParams({ client_id: code.clientId, request_uri: body.request_uri });
    assert.equal(errorOf(await browser.open(`/oauth/v2/authorize?${reference}`)), "consent_required");
    await setRegistration(server, "open");
    const stranger = await registered(server, { redirect_uris: ["https://shop.example/callback"] }, null);
    const query = new URLSearchParams(code.start({ scope: forApis, prompt: "none" }).path.split("?")[1]);
    query.set("client_id", stranger.client_id);
    assert.equal(errorOf(await browser.open(`/oauth/v2/authorize?${query}`)), "consent_required");

    // The control: an application that an administrator of the instance trusts.
    await trustForApi(server, code, code.projectId);
    const { page, codeVerifier } = await visit(server, code, { scope: forApis, prompt: "none" }, browser);
    assert.ok(isBack(page), page.address);
    const trusted = await code.exchange(page.address, codeVerifier);
    assert.equal((await ownUser(server, trusted.body.access_token)).status, 200);
    const email = { userId: server.user.userId, email: "ada@other.example", sendCode: {} };
    assert.equal((await call(server, trusted.body.access_token, `${users}/SetEmail`, email)).status, 200);
  });

  test("with consent to the smallest right, a token reads the user's own data and nothing more (A1)", async (t) => {
    const server = await startOidcServer(t, { engine });
    const { userId } = server.user;
    await appoint(server, server.user, { instance: true }, ["IAM_OWNER"]);
    const other = await addPerson(server, { username: "other" });
    const browser = await signedIn(server, server.user);
    const client = await addClient(server);
    const page = await open(server, client, browser, { scope: forApis });
    assert.match(page.html, /see your account data/);
    assert.doesNotMatch(page.html, /change/);
    const tokens = await tokensOf(server, client, browser, `${forApis} offline_access`);
    assert.ok(tokens.scope.split(" ").includes(`${iam}:api:me:read`), tokens.scope);
    const token = tokens.access_token;
    assert.equal((await ownUser(server, token)).status, 200);
    assert.equal((await call(server, token, `${users}/GetUserByID`, { userId: other.userId })).status, 404);
    const listed = await call(server, token, `${users}/ListUsers`);
    assert.deepEqual(
      listed.body.result.map((one: { userId: string }) => one.userId),
      [userId],
    );
    const refused: readonly [string, object][] = [
      [`${users}/SetEmail`, { userId, email: "mallory@attacker.example" }],
      [`${users}/RegisterPasskey`, { userId }],
      ["service.auth.v1.AuthService/UpdateMyProfile", { firstName: "Eve", lastName: "Example" }],
      ["service.org.v2.OrganizationService/ListOrganizations", {}],
      ["service.project.v2.ProjectService/CreateProject", { organizationId: server.organizationId, name: "x" }],
      [
        "service.internal_permission.v2.InternalPermissionService/CreateAdministrator",
        { userId: other.userId, resource: { instance: true }, roles: ["IAM_OWNER"] },
      ],
    ];
    for (const [method, body] of refused) {
      const answer = await call(server, token, method, body);
      assert.deepEqual([answer.status, answer.body.code], [403, "permission_denied"], method);
    }
    const form = new FormData();
    form.set("file", new Blob(["x"], { type: "image/png" }), "x.png");
    const headers = { authorization: `Bearer ${token}` };
    const upload = await fetch(`${server.origin}/assets/v1/users/me/avatar`, { method: "POST", headers, body: form });
    assert.equal(upload.status, 403);

    const refresh = (scope: string) =>
      server.form("/oauth/v2/token", {
        grant_type: "refresh_token",
        refresh_token: tokens.refresh_token,
        client_id: client.clientId,
        scope,
      });
    const wider = await refresh(`${forApis} ${iam}:api:me:write`);
    assert.deepEqual([wider.status, wider.body.error], [400, "invalid_scope"]);
    const bare = await refresh(forApis);
    assert.equal(bare.status, 200, JSON.stringify(bare.body));
    assert.equal((await ownUser(server, bare.body.access_token)).status, 401, "no right, no audience");
  });

  test("with every right, a token of a third party changes no way in, administrator, provider or trust (A1)", async (t) => {
    const server = await startOidcServer(t, { engine });
    await appoint(server, server.user, { instance: true }, ["IAM_OWNER"]);
    const browser = await signedIn(server, server.user);
    const client = await addClient(server);
    const { access_token: token } = await tokensOf(server, client, browser, `openid ${allRights}`);
    const refused = new Set<string>();
    for (const { service, method, access } of methods) {
      if (access.kind === "open" || service.startsWith("service.saml")) continue;
      const { status, body } = await call(server, token, `${service}/${method}`);
      if (status === 403 && JSON.stringify(body).includes("does not trust with its APIs")) {
        refused.add(`${service.split(".")[1]}/${method}`);
      }
    }
    const never = [
      "user/SetEmail user/SetPhone user/RemovePhone user/VerifyEmail user/SetPassword user/PasswordReset",
      "user/RegisterPasskey user/VerifyPasskeyRegistration user/RemovePasskey user/RegisterU2F user/RegisterTOTP",
      "user/AddOTPSMS user/AddOTPEmail user/GenerateRecoveryCodes user/AddIDPLink user/RemoveIDPLink user/AddSecret",
      "user/AddKey user/AddPersonalAccessToken user/CreateInviteCode user/UpdateUser user/UpdateHumanUser user/DeleteUser",
      "user/CreateUser user/StartIdentityProviderIntent user/RetrieveIdentityProviderIntent user/SetUserMetadata",
      "auth/UpdateMyUserName auth/UpdateMyPassword auth/SetMyEmail auth/SetMyPhone auth/AddMyAuthFactorOTP",
      "auth/AddMyPasswordless auth/AddMyPasswordlessLink auth/RemoveMyLinkedIDP auth/RevokeAllMyRefreshTokens",
      "auth/RemoveMyUser session/CreateSession session/SetSession session/DeleteSession oidc/CreateCallback",
      "internal/CreateAdministrator application/CreateApplication application/UpdateApplication",
      "application/GenerateClientSecret application/CreateApplicationKey action/CreateTarget action/SetExecution",
      "admin/AddGenericOIDCProvider management/AddGenericOIDCProvider management/AddOrgMember admin/AddIAMMember",
      "management/AddOIDCApp management/UpdateOIDCAppConfig management/AddPersonalAccessToken management/AddMachineKey",
      "project/CreateProjectGrant management/AddProjectGrant admin/ExportData admin/UpdateLoginPolicy management/AddCustomLoginPolicy settings/SetOrganizationSettings",
    ]
      .join(" ")
      .replace("internal/", "internal_permission/")
      .split(" ");
    assert.deepEqual(
      never.filter((method) => !refused.has(method)),
      [],
    );
    // The controls: what the rights are for.
    assert.equal((await ownUser(server, token)).status, 200);
    const profile = { firstName: "Augusta", lastName: "King", displayName: "Augusta King", preferredLanguage: "en" };
    const changed = await call(server, token, "service.auth.v1.AuthService/UpdateMyProfile", profile);
    assert.equal(changed.status, 200, JSON.stringify(changed.body));
    assert.ok((await call(server, token, `${users}/ListUsers`)).body.result.length > 1);
    const project = { organizationId: server.organizationId, name: "Mine" };
    assert.equal((await call(server, token, "service.project.v2.ProjectService/CreateProject", project)).status, 200);
    const registration = await server.rest("POST", "/oauth/v2/register", { token, body: { redirect_uris: [] } });
    assert.ok(registration.status >= 400, "no client by the way of registration");

    // Trust that comes later does not widen what was given.
    await trustForApi(server, client, client.projectId);
    const email = { userId: server.user.userId, email: "mallory@attacker.example" };
    assert.equal((await call(server, token, `${users}/SetEmail`, email)).status, 403);
  });

  test("devices, other logins and clients in the built-in project get no more (A1)", async (t) => {
    const server = await startOidcServer(t, { engine });
    const { user, loginToken } = server;
    const session = async () => {
      const checks = { user: { userId: user.userId }, password: { password: user.password } };
      const { sessionId, sessionToken } = (await server.rest("POST", "/v2/sessions", { body: { checks } })).body;
      return { sessionId, sessionToken };
    };
    const deviceGrant = "urn:ietf:params:oauth:grant-type:device_code";
    const device = await server.createClient({
      applicationType: "OIDC_APP_TYPE_NATIVE",
      authMethodType: "OIDC_AUTH_METHOD_TYPE_NONE",
      grantTypes: [
        "OIDC_GRANT_TYPE_DEVICE_CODE",
        "OIDC_GRANT_TYPE_AUTHORIZATION_CODE",
        "OIDC_GRANT_TYPE_REFRESH_TOKEN",
      ],
    });
    const client_id = device.clientId;
    const waiting = await server.form("/oauth/v2/device_authorization", {
      client_id,
      scope: `${forApis} offline_access`,
    });
    const shown = await server.rest("GET", `/v2/oidc/device_authorization/${waiting.body.user_code}`, {
      token: loginToken,
    });
    assert.ok(shown.body.deviceAuthorizationRequest.scope.includes(`${iam}:api:me:read`));
    const path = `/v2/oidc/device_authorization/${shown.body.deviceAuthorizationRequest.id}`;
    await server.rest("POST", path, { token: loginToken, body: { session: await session() } });
    const ofDevice = await server.form("/oauth/v2/token", {
      grant_type: deviceGrant,
      client_id,
      device_code: waiting.body.device_code,
    });
    assert.equal(ofDevice.status, 200, JSON.stringify(ofDevice.body));
    const again = await server.form("/oauth/v2/token", {
      grant_type: "refresh_token",
      client_id,
      refresh_token: ofDevice.body.refresh_token,
    });
    for (const token of [ofDevice.body.access_token, again.body.access_token]) {
      assert.equal((await ownUser(server, token)).status, 200);
      const passkey = await call(server, token, `${users}/RegisterPasskey`, { userId: user.userId });
      assert.equal(passkey.status, 403);
    }

    // A login of one's own has to report the consent.
    const query = new URLSearchParams({
      client_id: server.client.clientId,
      redirect_uri: server.client.redirectUri,
      response_type: "code",
      scope: forApis,
    });
    const sent = await fetch(`${server.origin}/oauth/v2/authorize?${query}`, { redirect: "manual" });
    const request = new URL(sent.headers.get("location") ?? "", server.origin).searchParams.get("authRequest");
    const answer = (consentGiven: boolean) =>
      session().then((given) =>
        server.rest("POST", `/v2/oidc/auth_requests/${request}`, {
          token: loginToken,
          body: { session: given, consentGiven },
        }),
      );
    const refused = await answer(false);
    assert.equal(refused.status, 400, JSON.stringify(refused.body));
    assert.match(refused.body.message, /agree/);
    assert.ok((await answer(true)).status < 300);

    const instance = await server.app.domain.findInstanceByHost("localhost");
    const inside = await server.createClient({}, instance?.systemProjectId);
    const { access_token: token = "" } = await server.tokens({ client: inside, scope: "openid" });
    assert.equal((await ownUser(server, token)).status, 401);
  });

  test("an exchange does not turn a consent into trust; service accounts keep what they ask for (A1)", async (t) => {
    const server = await startOidcServer(t, { engine });
    const exchanging = ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE", "OIDC_GRANT_TYPE_TOKEN_EXCHANGE"];
    const trusted = await server.createClient({ grantTypes: exchanging, trustedForApi: true });
    const untrusted = await server.createClient({ grantTypes: exchanging });
    const instance = await server.app.domain.findInstanceByHost("localhost");
    const systemProjectId = instance?.systemProjectId ?? "";
    const exchange = (by: TestClient, subject: string, audience?: string) =>
      server.form(
        "/oauth/v2/token",
        {
          grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
          subject_token: subject,
          subject_token_type: "urn:ietf:params:oauth:token-type:access_token",
          scope: forApis,
          ...(audience !== undefined && { audience }),
        },
        by.basic,
      );
    const limited = (await server.tokens({ client: untrusted, scope: forApis }))["access_token"] ?? "";
    const full = (await server.tokens({ client: trusted, scope: forApis }))["access_token"] ?? "";
    for (const [by, subject] of [
      [trusted, limited],
      [untrusted, full],
      [untrusted, limited],
    ] as const) {
      const silent = await exchange(by, subject);
      assert.equal(silent.status, 200, JSON.stringify(silent.body));
      assert.equal((await ownUser(server, silent.body.access_token)).status, 401);
      const named = await exchange(by, subject, systemProjectId);
      assert.deepEqual([named.status, named.body.error], [400, "invalid_target"]);
    }
    const control = await exchange(trusted, full);
    assert.equal((await ownUser(server, control.body.access_token)).status, 200, JSON.stringify(control.body));

    const machine = { organizationId: server.organizationId, username: "robot", machine: { name: "Robot" } };
    const { id } = (await server.rest("POST", "/v2/users/new", { body: machine })).body;
    await appoint(server, { userId: id }, { instance: true }, ["IAM_OWNER"]);
    const { clientSecret } = (await server.rest("POST", `/v2/users/${id}/secret`, { body: {} })).body;
    for (const request of [{ scope: forApis }, { scope: "openid", resource: server.origin }]) {
      const basic = basicOf("robot", clientSecret);
      const issued = await server.form("/oauth/v2/token", { grant_type: "client_credentials", ...request }, basic);
      const body = { userId: server.user.userId, email: "ada@moved.example", isVerified: true };
      const changed = await call(server, issued.body.access_token, `${users}/SetEmail`, body);
      assert.equal(changed.status, 200, JSON.stringify(changed.body));
    }
  });
});
