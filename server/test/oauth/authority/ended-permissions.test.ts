import assert from "node:assert/strict";
import { enginesInTurn } from "../../support/databases/turns.ts";
import { basicOf, type OidcServer, startOidcServer, type TestClient } from "../../support/oidc/oidc.ts";
import { addApi, addResource, changeResource } from "../../support/oidc/resources.ts";
import { etagOf } from "../../support/oidc/trust.ts";
import { addOrganization, addPerson, appoint, sessionOf } from "../../support/people/people.ts";
import { deviceConfiguration, withDevice } from "../device/support.ts";
import { isActive, makeBank, ok, projects } from "../support/registered-resources.ts";
import { exchangeGrant, startExchangeServer, typeOf } from "../token-exchange/support.ts";

const iam = "urn:service:iam";
const grantTypes = ["AUTHORIZATION_CODE", "REFRESH_TOKEN", "TOKEN_EXCHANGE"].map((one) => `OIDC_GRANT_TYPE_${one}`);

const makeProject = async (server: OidcServer, organizationId: string, name: string): Promise<string> =>
  (await ok(server.connect(`${projects}/CreateProject`, { organizationId, name }))).projectId;

const updateClient = async (server: OidcServer, projectId: string, client: TestClient, configuration: object) =>
  ok(
    server.connect("service.application.v2.ApplicationService/UpdateApplication", {
      projectId,
      applicationId: client.applicationId,
      etag: await etagOf(server, client.applicationId),
      oidcConfiguration: configuration,
    }),
  );

/** The tokens of an exchange of an access token or an id token. */
async function exchanged(
  server: OidcServer,
  by: TestClient,
  subject: { readonly token: string; readonly type?: string },
  more: Readonly<Record<string, string>> = {},
) {
  const { token, type = typeOf.access_token } = subject;
  const form = { grant_type: exchangeGrant, subject_token: token, subject_token_type: type, scope: "openid", ...more };
  const { status, body } = await server.form("/oauth/v2/token", form, by.basic);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

/** An application of another organization, whose project is lent to that of a person. */
async function startTenants(t: Parameters<typeof startOidcServer>[0], engine: "sqlite" | "postgres") {
  const server = await startOidcServer(t, { engine });
  const home = await addOrganization(server, "Home");
  const elsewhere = await addOrganization(server, "Elsewhere Ltd");
  const projectId = await makeProject(server, elsewhere, "Travel");
  const opaque = await server.createClient({ grantTypes }, projectId);
  const jwt = await server.createClient({ grantTypes, accessTokenType: "OIDC_TOKEN_TYPE_JWT" }, projectId);
  const person = await addPerson(server, { username: "ada", organizationId: home });
  const grant = { projectId, grantedOrganizationId: home };
  await ok(server.connect(`${projects}/CreateProjectGrant`, grant));
  const tokens = (client: TestClient, scope = "openid email offline_access") =>
    server.tokens({ user: person, client, scope });
  /** Whether UserInfo and introspection take a token; both or neither. */
  const isTaken = async (token: string, by = opaque): Promise<boolean> => {
    const { status } = await server.rest("GET", "/oidc/v1/userinfo", { token });
    assert.equal(await isActive(server, token, by), status === 200);
    return status === 200;
  };
  const lend = async (isOn: boolean) => {
    await ok(server.connect(`${projects}/${isOn ? "Activate" : "Deactivate"}ProjectGrant`, grant));
  };
  return { server, projectId, opaque, jwt, person, tokens, isTaken, lend };
}

enginesInTurn((engine, test, both) => {
  both("tokens that a grant gave without consent end with the grant, and all that came of them", async (t) => {
    const { server, opaque, jwt, tokens, isTaken, lend } = await startTenants(t, engine);
    const [first, second] = [await tokens(opaque), await tokens(jwt)];
    const again = await exchanged(server, opaque, { token: first["access_token"] ?? "" }, { scope: "openid email" });
    const ofSibling = await exchanged(server, jwt, { token: first["access_token"] ?? "" });
    const ofIdToken = await exchanged(server, opaque, { token: first["id_token"] ?? "", type: typeOf.id_token });
    const chained = await exchanged(server, opaque, { token: again.access_token });
    const all = [first, second, again, ofSibling, ofIdToken, chained].map((one) => one["access_token"] ?? "");
    const areTaken = () => Promise.all(all.map((token) => isTaken(token)));
    const every = (isOn: boolean) => all.map(() => isOn);
    assert.deepEqual(await areTaken(), every(true));
    await lend(false);
    assert.deepEqual(await areTaken(), every(false));
    for (const [subject, type] of [
      [first["access_token"], typeOf.access_token],
      [first["id_token"], typeOf.id_token],
    ] as const) {
      const form = {
        grant_type: exchangeGrant,
        subject_token: subject ?? "",
        subject_token_type: type,
        scope: "openid",
      };
      const refused = await server.form("/oauth/v2/token", form, opaque.basic);
      assert.deepEqual([refused.status, refused.body.error], [400, "invalid_request"], type);
    }
    await lend(true);
    assert.deepEqual(await areTaken(), every(true), "as long as nothing was revoked");
  });

  test("tokens that the user consented to outlive the grant, as far as the consent goes", async (t) => {
    const { opaque, tokens, isTaken, lend } = await startTenants(t, engine);
    await lend(false);
    const consented = await tokens(opaque, "openid");
    await lend(true);
    const wider = await tokens(opaque, "openid email");
    assert.deepEqual(
      [await isTaken(consented["access_token"] ?? ""), await isTaken(wider["access_token"] ?? "")],
      [true, true],
    );
    await lend(false);
    assert.deepEqual(
      [await isTaken(consented["access_token"] ?? ""), await isTaken(wider["access_token"] ?? "")],
      [true, false],
    );
  });

  test("a resource of an application's own needs the consent that the application needs (A7)", async (t) => {
    const { server, projectId, opaque, person, isTaken, lend } = await startTenants(t, engine);
    const uri = "https://travel.example/api";
    await addResource(server, projectId, uri, { scopes: [{ name: "trips:read" }] });
    const api = await addApi(server, projectId);
    const tokens = (scope: string, more = {}) =>
      server.tokens({ user: person, client: opaque, scope, parameters: more });
    await lend(false);
    const { access_token: consented = "" } = await tokens("openid offline_access");
    await lend(true);
    const silent = await tokens("openid offline_access trips:read", { resource: uri });
    const { access_token: token = "", refresh_token: refreshToken = "" } = silent;
    assert.equal(await isActive(server, token, api), true);
    await lend(false);
    assert.equal(await isTaken(consented), true);
    assert.equal(await isActive(server, token, api), false, "the user agreed to the application, not to the resource");
    const form = { grant_type: "refresh_token", refresh_token: refreshToken };
    const refused = await server.form("/oauth/v2/token", form, opaque.basic);
    assert.deepEqual([refused.status, refused.body.error], [400, "invalid_target"]);
    const { access_token: asked = "" } = await tokens("openid trips:read", { resource: uri });
    assert.equal(await isActive(server, asked, api), true);
  });

  test("tokens end when their application has to ask from now on, or the instance asks across organizations", async (t) => {
    const { server, projectId, opaque, tokens, isTaken, lend } = await startTenants(t, engine);
    const skip = async (isSkipped: boolean) => {
      const body = { skipConsentAcrossOrganizations: isSkipped };
      assert.equal((await server.rest("PUT", "/v2/policies/security", { body })).status, 200);
    };
    await lend(false);
    await skip(true);
    const { access_token: token = "", refresh_token: refreshToken = "" } = await tokens(opaque);
    assert.equal(await isTaken(token), true);
    await skip(false);
    assert.equal(await isTaken(token), false);
    await skip(true);
    assert.equal(await isTaken(token), true);
    await updateClient(server, projectId, opaque, { consentRequired: true });
    assert.equal(await isTaken(token), false);
    const form = { grant_type: "refresh_token", refresh_token: refreshToken };
    assert.equal((await server.form("/oauth/v2/token", form, opaque.basic)).body.error, "invalid_grant");
    await updateClient(server, projectId, opaque, { consentRequired: false });
    assert.equal(await isTaken(token), true);
    // Trust lets an application in, too.
    await skip(false);
    await updateClient(server, projectId, opaque, { trustedForApi: true });
    assert.equal(await isTaken(token), true);
    await updateClient(server, projectId, opaque, { trustedForApi: false });
    assert.equal(await isTaken(token), false);
  });

  test("our own APIs ask who let an application in, besides its rights there (A1)", async (t) => {
    const { server, projectId, opaque, person, tokens, isTaken, lend } = await startTenants(t, engine);
    await lend(false);
    const rights = `openid ${iam}:api:me:read`;
    const { access_token: consented = "" } = await tokens(opaque, rights);
    await updateClient(server, projectId, opaque, { trustedForApi: true });
    const { access_token: silent = "" } = await tokens(opaque, `${rights} email`);
    const read = async (token: string) => (await server.rest("GET", `/v2/users/${person.userId}`, { token })).status;
    assert.deepEqual([await read(consented), await read(silent)], [200, 200]);
    await updateClient(server, projectId, opaque, { trustedForApi: false });
    assert.deepEqual([await read(consented), await read(silent)], [200, 401]);
    assert.deepEqual([await isTaken(consented), await isTaken(silent)], [true, false]);
  });

  test("a device that was approved under a grant gets nothing once the grant has ended", async (t) => {
    const { server, projectId, person, isTaken, lend } = await startTenants(t, engine);
    const { clientId: client_id } = await server.createClient(deviceConfiguration, projectId);
    const devices = await withDevice(server);
    const approved = async (): Promise<string> => {
      const { body } = await devices.ask({ client_id, scope: "openid email" });
      const { sessionId, token } = await sessionOf(server, person);
      const decided = await devices.decide(body.user_code, { sessionId, sessionToken: token });
      assert.equal(decided.status, 200, JSON.stringify(decided.body));
      return body.device_code;
    };
    const [early, late] = [await approved(), await approved()];
    const { body } = await devices.poll(early, { client_id });
    assert.equal(await isTaken(body.access_token), true);
    await lend(false);
    const refused = await devices.poll(late, { client_id });
    assert.deepEqual([refused.status, refused.body.error], [400, "invalid_grant"]);
    assert.equal(await isTaken(body.access_token), false);
  });

  both("a project and a resource that a grant put into an audience leave it with the grant (A7)", async (t) => {
    const server = await startOidcServer(t, { engine });
    const bank = await makeBank(server);
    await ok(
      server.connect(`${projects}/AddProjectRole`, { projectId: bank.projectId, roleKey: "teller", displayName: "T" }),
    );
    const grant = { projectId: bank.projectId, grantedOrganizationId: server.organizationId };
    await ok(server.connect(`${projects}/CreateProjectGrant`, { ...grant, roleKeys: ["teller"] }));
    await ok(
      server.connect("service.authorization.v2.AuthorizationService/CreateAuthorization", {
        userId: server.user.userId,
        projectId: bank.projectId,
        organizationId: bank.organizationId,
        roleKeys: ["teller"],
      }),
    );
    const api = await addApi(server, server.projectId);
    const client = await server.createClient({ grantTypes });
    const aud = `${iam}:org:project:id:${bank.projectId}:aud`;
    const { access_token: toProject = "" } = await server.tokens({
      client,
      scope: `openid ${aud} ${iam}:org:projects:roles`,
    });
    const scope = "openid accounts:read";
    const { access_token: toResource = "" } = await server.tokens({
      client,
      scope,
      parameters: { resource: bank.uri },
    });
    const again = [
      (await exchanged(server, client, { token: toProject }, { scope: `openid ${aud}` })).access_token,
      (await exchanged(server, client, { token: toResource }, { scope })).access_token,
    ];
    const robot = { organizationId: server.organizationId, username: "robot", machine: { name: "Robot" } };
    const { id } = (await server.rest("POST", "/v2/users/new", { body: robot })).body;
    const { clientSecret } = (await server.rest("POST", `/v2/users/${id}/secret`, { body: {} })).body;
    const machine = await server.form(
      "/oauth/v2/token",
      { grant_type: "client_credentials", resource: bank.uri, scope: "accounts:read" },
      basicOf("robot", clientSecret),
    );
    const all: readonly string[] = [toProject, toResource, ...again, machine.body.access_token];
    const atBank = () => Promise.all(all.map((token) => isActive(server, token, bank.api)));
    const rolesAtBank = async () =>
      (await server.rest("GET", "/oidc/v1/userinfo", { token: toProject })).body[
        `${iam}:org:project:${bank.projectId}:roles`
      ];
    assert.deepEqual(
      await atBank(),
      all.map(() => true),
    );
    assert.ok(await rolesAtBank());

    await ok(server.connect(`${projects}/DeactivateProjectGrant`, grant));
    assert.deepEqual(
      await atBank(),
      all.map(() => false),
    );
    assert.equal(await rolesAtBank(), undefined);
    const own = await server.introspect(toProject, api);
    assert.equal(own["active"], true, "what the application has of its own stays");
    assert.ok(!(own["aud"] as string[]).includes(bank.projectId));
    await ok(server.connect(`${projects}/ActivateProjectGrant`, grant));
    assert.deepEqual(
      await atBank(),
      all.map(() => true),
    );

    // A scope that the owner of a resource takes away is no longer in any token for it.
    await changeResource(server, "UpdateResource", { id: bank.id, scopes: { scopes: [{ name: "accounts:pay" }] } });
    const narrowed = await server.introspect(toResource, bank.api);
    assert.deepEqual([narrowed["active"], narrowed["scope"]], [true, "openid"]);
  });

  test("an application acts for others only as long as the instance trusts it, and the actor's application (A8)", async (t) => {
    const server = await startExchangeServer(t, { engine });
    const { projectId } = server;
    const [ofActor, acting] = [await server.createClient({ grantTypes }), await server.createClient({ grantTypes })];
    const trust = (client: TestClient, trustedForApi: boolean) =>
      updateClient(server, projectId, client, { trustedForApi });
    await trust(ofActor, true);
    await trust(acting, true);
    const agent = await addPerson(server, { username: "clerk" });
    await appoint(server, agent, { instance: true }, ["IAM_END_USER_IMPERSONATOR"]);
    const { access_token: actorToken = "" } = await server.tokensOf(agent, "openid offline_access", ofActor);
    const delegated = await exchanged(
      server,
      acting,
      { token: server.user.userId, type: typeOf.user_id },
      { actor_token: actorToken, actor_token_type: typeOf.access_token, scope: "openid offline_access" },
    );
    const chained = await exchanged(server, ofActor, {
      token: delegated.access_token,
    });
    const areTaken = () =>
      Promise.all([delegated, chained].map(({ access_token: token }) => isActive(server, token, acting)));
    assert.deepEqual(await areTaken(), [true, true]);
    for (const client of [acting, ofActor]) {
      await trust(client, false);
      assert.deepEqual(await areTaken(), [false, false]);
      await trust(client, true);
      assert.deepEqual(await areTaken(), [true, true]);
    }
    await trust(acting, false);
    const form = { grant_type: "refresh_token", refresh_token: delegated.refresh_token };
    const refused = await server.form("/oauth/v2/token", form, acting.basic);
    assert.deepEqual([refused.status, refused.body.error], [400, "invalid_grant"]);
  });
});
