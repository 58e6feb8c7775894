import assert from "node:assert/strict";
import { enter, isBack, visit } from "../../login/support/sign-in.ts";
import { enginesInTurn } from "../../support/databases/turns.ts";
import { type OidcServer, startOidcServer } from "../../support/oidc/oidc.ts";
import { registered, setRegistration } from "../../support/oidc/registration.ts";
import { etagOf, trustForApi } from "../../support/oidc/trust.ts";
import { addOrganization, addPerson, appoint, sessionOf } from "../../support/people/people.ts";
import { errorId } from "../../support/servers/managed.ts";
import { addClient } from "../../support/sign-in/sign-in-client.ts";

const forApis = "openid urn:service:iam:org:project:id:service:aud";
const applications = "service.application.v2.ApplicationService";
const users = "service.user.v2.UserService";

const call = (server: OidcServer, token: string, method: string, body: object = {}) =>
  server.connect(method, body, { token });

const ownUser = (server: OidcServer, token: string) =>
  call(server, token, `${users}/GetUserByID`, { userId: server.user.userId });

enginesInTurn((engine, test) => {
  test("a tenant's applications are not trusted, whichever of its users made them (A1)", async (t) => {
    const server = await startOidcServer(t, { engine });
    const organizationId = await addOrganization(server, "Elsewhere");
    const owner = await addPerson(server, { username: "owner", organizationId });
    await appoint(server, owner, { organizationId }, ["ORG_OWNER"]);
    const { token } = await sessionOf(server, owner);
    const made = await call(server, token, "service.project.v2.ProjectService/CreateProject", {
      organizationId,
      name: "Trap",
    });
    const { projectId } = made.body;
    const builder = await addPerson(server, { username: "builder", organizationId });
    await appoint(server, builder, { projectId }, ["PROJECT_OWNER"]);
    const ofBuilder = (await sessionOf(server, builder)).token;
    const oidcConfiguration = { redirectUris: ["https://shop.example/callback"] };
    for (const [name, of] of Object.entries({ owner: token, builder: ofBuilder })) {
      const trusting = { ...oidcConfiguration, trustedForApi: true };
      const refused = await call(server, of, `${applications}/CreateApplication`, {
        projectId,
        name,
        oidcConfiguration: trusting,
      });
      assert.deepEqual([refused.status, refused.body.code], [403, "permission_denied"], name);
      const created = await call(server, of, `${applications}/CreateApplication`, {
        projectId,
        name,
        oidcConfiguration,
      });
      assert.equal(created.status, 200, JSON.stringify(created.body));
      const { applicationId } = created.body;
      const update = { projectId, applicationId, oidcConfiguration: { trustedForApi: true } };
      const denied = await call(server, of, `${applications}/UpdateApplication`, update);
      assert.deepEqual([denied.status, denied.body.code], [403, "permission_denied"], name);
      const read = await call(server, of, `${applications}/GetApplication`, { applicationId });
      assert.equal(read.body.application.oidcConfiguration.trustedForApi ?? false, false);
      const etag = await etagOf(server, applicationId);
      assert.equal((await server.connect(`${applications}/UpdateApplication`, { ...update, etag })).status, 200);
    }
  });

  test("the trust ends when others change the application, and with it what was issued (A1)", async (t) => {
    const server = await startOidcServer(t, { engine });
    const { organizationId, projectId, user } = server;
    const owner = await addPerson(server, { username: "owner" });
    await appoint(server, owner, { organizationId }, ["ORG_OWNER"]);
    const { token } = await sessionOf(server, owner);
    const client = await server.createClient({ trustedForApi: true });
    const { applicationId } = client;
    const reference = { projectId, applicationId };
    const v1 = `/management/v1/projects/${projectId}/apps/${applicationId}`;
    const isTrusted = async () => {
      const { body } = await server.rest("GET", v1);
      const v2 = await server.connect(`${applications}/GetApplication`, { applicationId });
      const trusted = v2.body.application.oidcConfiguration.trustedForApi ?? false;
      assert.equal(body.app.oidcConfig.trustedForApi ?? false, trusted);
      return trusted;
    };
    const { access_token: before = "" } = await server.tokens({ client, scope: forApis });
    const changes: Readonly<Record<string, () => Promise<{ status: number; body: unknown }>>> = {
      "v2 update": () =>
        call(server, token, `${applications}/UpdateApplication`, {
          ...reference,
          oidcConfiguration: { redirectUris: [client.redirectUri, "https://attacker.example/callback"] },
        }),
      "v1 update": () =>
        server.rest("PUT", `${v1}/oidc_config`, {
          token,
          body: {
            redirectUris: [client.redirectUri, "https://attacker.example/v1"],
            grantTypes: ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE", "OIDC_GRANT_TYPE_REFRESH_TOKEN"],
          },
        }),
      "v2 secret": () => call(server, token, `${applications}/GenerateClientSecret`, reference),
      "v1 secret": () => server.rest("POST", `${v1}/oidc_config/_generate_client_secret`, { token, body: {} }),
      "authentication by key": () =>
        call(server, token, `${applications}/UpdateApplication`, {
          ...reference,
          oidcConfiguration: { authMethodType: "OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT" },
        }),
      "a key": () => call(server, token, `${applications}/CreateApplicationKey`, reference),
    };
    for (const [name, change] of Object.entries(changes)) {
      assert.ok(await isTrusted(), name);
      if (name === "v2 update") assert.equal((await ownUser(server, before)).status, 200);
      const renamed = await call(server, token, `${applications}/UpdateApplication`, { ...reference, name });
      assert.equal(renamed.status, 200);
      assert.ok(await isTrusted(), "a name decides about nothing");
      const changed = await change();
      assert.ok(changed.status < 300, `${name}: ${JSON.stringify(changed.body)}`);
      assert.equal(await isTrusted(), false, name);
      assert.equal((await ownUser(server, before)).status, 401, name);
      await trustForApi(server, client, projectId);
    }
    assert.equal((await ownUser(server, before)).status, 200, user.loginName);
    await server.connect(`${applications}/UpdateApplication`, {
      ...reference,
      oidcConfiguration: { redirectUris: ["https://moved.example/callback"] },
    });
    assert.ok(await isTrusted(), "an administrator of the instance vouches for the change as well");
  });

  test("trust is given to what was seen, and to nothing that it became meanwhile", async (t) => {
    const server = await startOidcServer(t, { engine });
    const { organizationId, projectId } = server;
    const owner = await addPerson(server, { username: "owner" });
    await appoint(server, owner, { organizationId }, ["ORG_OWNER"]);
    const { token } = await sessionOf(server, owner);
    const client = await server.createClient({
      consentRequired: true,
      authMethodType: "OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT",
    });
    const reference = { projectId, applicationId: client.applicationId };
    const update = async (change: object, of?: string) => {
      const wanted = { ...reference, ...change };
      const { status, body } = await server.connect(
        `${applications}/UpdateApplication`,
        wanted,
        of ? { token: of } : {},
      );
      return status === 200 ? "200" : `${body.code} ${errorId(body)}`;
    };
    const read = async () => {
      const { consentRequired, trustedForApi } = (
        await server.connect(`${applications}/GetApplication`, { applicationId: client.applicationId })
      ).body.application.oidcConfiguration;
      return { consentRequired: consentRequired === true, trustedForApi: trustedForApi === true };
    };
    const gifts = [{ trustedForApi: true }, { consentRequired: false }];
    const meanwhile: Readonly<Record<string, (index: number) => Promise<unknown>>> = {
      address: (index) => update({ oidcConfiguration: { redirectUris: [`https://evil.example/${index}`] } }, token),
      key: () => call(server, token, `${applications}/CreateApplicationKey`, reference),
      name: (index) => update({ name: `Name ${index}` }, token),
    };
    for (const [index, oidcConfiguration] of gifts.entries()) {
      assert.equal(await update({ oidcConfiguration }), "failed_precondition application.etag_missing");
      for (const [name, change] of Object.entries(meanwhile)) {
        const etag = await etagOf(server, client.applicationId);
        await change(index);
        assert.equal(await update({ etag, oidcConfiguration }), "failed_precondition application.changed", name);
      }
    }
    assert.deepEqual(await read(), { consentRequired: true, trustedForApi: false });
    const etag = await etagOf(server, client.applicationId);
    const given = { trustedForApi: true, consentRequired: false };
    assert.equal(await update({ etag, oidcConfiguration: given }), "200");
    assert.deepEqual(await read(), { consentRequired: false, trustedForApi: true });
    assert.equal(await update({ oidcConfiguration: given }), "200", "what it has already is not given");
    assert.equal(
      await update({ etag, name: "Late" }),
      "failed_precondition application.changed",
      "any change may name it",
    );
    assert.equal(await update({ oidcConfiguration: { trustedForApi: false, consentRequired: true } }), "200");
  });

  test("a trusted application works from the sign-in to the refresh, on the pages (A1)", async (t) => {
    const server = await startOidcServer(t, { engine });
    const client = await addClient(server);
    await trustForApi(server, client, client.projectId);
    const visitor = await visit(server, client, { scope: `${forApis} offline_access` });
    const back = await enter(visitor, server.user);
    assert.ok(isBack(back), "not asked");
    const { body } = await client.exchange(back.address, visitor.codeVerifier);
    const renewed = await server.form("/oauth/v2/token", {
      grant_type: "refresh_token",
      refresh_token: body.refresh_token,
      client_id: client.clientId,
    });
    for (const token of [body.access_token, renewed.body.access_token]) {
      assert.equal((await ownUser(server, token)).status, 200);
    }
  });

  test("a registered client cannot ask for trust, and no longer changes itself once it is trusted (A1)", async (t) => {
    const server = await startOidcServer(t, { engine });
    await setRegistration(server, "open");
    const metadata = { redirect_uris: ["https://shop.example/callback"], trusted_for_api: true, trustedForApi: true };
    let client = await registered(server, metadata, null);
    const find = async () => {
      const { body } = await server.connect(`${applications}/ListApplications`, {});
      return body.applications.find(
        (one: { oidcConfiguration?: { clientId: string } }) => one.oidcConfiguration?.clientId === client.client_id,
      );
    };
    const { applicationId, projectId, oidcConfiguration } = await find();
    assert.equal(oidcConfiguration.trustedForApi ?? false, false);
    const put = async (more: object) => {
      const token = client.registration_access_token;
      const body = { ...metadata, ...more, client_id: client.client_id };
      const answer = await server.rest("PUT", `/oauth/v2/register/${client.client_id}`, { token, body });
      if (answer.status === 200) client = answer.body;
      return answer.status;
    };
    const isTrusted = async () => (await find()).oidcConfiguration.trustedForApi ?? false;
    assert.equal(await put({}), 200);
    assert.equal(await isTrusted(), false);
    await trustForApi(server, { applicationId }, projectId);
    assert.equal(await put({ redirect_uris: ["https://attacker.example/callback"] }), 401);
    const seen = await find();
    assert.deepEqual(seen.oidcConfiguration.redirectUris, metadata.redirect_uris);
    assert.equal(await isTrusted(), true, "what the administrator saw");
  });
});
