import assert from "node:assert/strict";
import { test } from "node:test";
import { signedIn } from "../../login/support/sign-in.ts";
import { eachEngine } from "../../support/databases/databases.ts";
import { type OidcServer, startOidcServer } from "../../support/oidc/oidc.ts";
import {
  makeRegistrar,
  minimal,
  register,
  registered,
  registrationPath,
  setRegistration,
} from "../../support/oidc/registration.ts";
import { addOrganization, addPerson, appoint } from "../../support/people/people.ts";
import { recordedEvents } from "../../support/servers/recorded-events.ts";

const applications = "service.application.v2.ApplicationService";
const permissions = "service.internal_permission.v2.InternalPermissionService";
const users = "service.user.v2.UserService";

type Registered = Readonly<Record<"client_id" | "registration_access_token", string>>;

const manage = (server: OidcServer, method: string, client: Registered, body?: object) =>
  server.rest(method, `${registrationPath}/${client.client_id}`, {
    token: client.registration_access_token,
    ...(body !== undefined && { body }),
  });

async function applicationOf(server: OidcServer, { client_id: clientId }: Registered) {
  const { body } = await server.connect(`${applications}/ListApplications`, {});
  const found = body.applications.find(
    (one: { oidcConfiguration?: { clientId: string } }) => one.oidcConfiguration?.clientId === clientId,
  );
  assert.ok(found, "the application is there");
  return found;
}

/** What GetApplication says of the registration access token of a client. */
async function isTokenShown(server: OidcServer, client: Registered): Promise<boolean | undefined> {
  const { applicationId } = await applicationOf(server, client);
  const { body } = await server.connect(`${applications}/GetApplication`, { applicationId });
  return body.application.hasRegistrationToken;
}

async function expectSuccess(answer: Promise<{ readonly status: number; readonly body: unknown }>): Promise<void> {
  const { status, body } = await answer;
  assert.equal(status, 200, JSON.stringify(body));
}

/** Changes the application of a client by an administrator. */
async function administer(server: OidcServer, client: Registered, method: string, more: object = {}): Promise<void> {
  const { applicationId, projectId, etag } = await applicationOf(server, client);
  const seen = method === "UpdateApplication" && { etag };
  await expectSuccess(server.connect(`${applications}/${method}`, { applicationId, projectId, ...seen, ...more }));
}

eachEngine((_open, engine) => {
  test("a client that a registrar registered is a stranger's once it changes itself (A1)", async (t) => {
    const server = await startOidcServer(t, { engine });
    await setRegistration(server, "token");
    const registrar = await makeRegistrar(server, server.organizationId);
    const browser = await signedIn(server, await addPerson(server, { username: "victim" }));
    const metadata = {
      ...minimal,
      grant_types: ["authorization_code", "refresh_token"],
      client_name: "Bank portal",
      initiate_login_uri: "https://app.example/start",
    };
    const changes: Readonly<Record<string, object>> = {
      addresses: { redirect_uris: ["https://evil.example/callback"] },
      name: { client_name: "Bank portal of all" },
      logo: { logo_uri: "https://evil.example/logo.png" },
      grants: { grant_types: ["authorization_code", "urn:ietf:params:oauth:grant-type:device_code"] },
      "launch link": { initiate_login_uri: "https://evil.example/start" },
    };
    for (const [what, change] of Object.entries(changes)) {
      let client: Registered = await registered(server, metadata, registrar.token);
      const put = async (body: object) => {
        const answer = await manage(server, "PUT", client, body);
        assert.equal(answer.status, 200, JSON.stringify(answer.body));
        client = answer.body;
      };
      const silently = async (redirectUri: string) => {
        const query = new URLSearchParams({
          client_id: client.client_id,
          redirect_uri: redirectUri,
          response_type: "code",
          scope: "openid profile",
          prompt: "none",
          code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
          code_challenge_method: "S256",
        });
        const { address } = await browser.open(`/oauth/v2/authorize?${query}`);
        const answer = new URL(address, server.origin);
        assert.equal(`${answer.origin}${answer.pathname}`, redirectUri);
        return answer.searchParams.get("error") ?? (answer.searchParams.has("code") ? "a code" : "nothing");
      };
      const isOnStartPage = async () => (await browser.open("/")).html.includes("Bank portal");
      const [registeredUri = ""] = metadata.redirect_uris;
      assert.equal(await silently(registeredUri), "a code", "as the registrar registered it");
      assert.equal(await isOnStartPage(), true);
      await put(metadata);
      assert.equal(await silently(registeredUri), "a code", "a replacement that changes nothing");
      assert.equal(await isOnStartPage(), true);

      const changed = { ...metadata, ...change };
      const [uri = ""] = changed.redirect_uris;
      for (const more of [change, {}, {}]) {
        await put({ ...metadata, ...more });
        assert.equal(await silently(more === change ? uri : registeredUri), "consent_required", what);
        assert.equal(await isOnStartPage(), false, what);
      }
      const { oidcConfiguration } = await applicationOf(server, client);
      assert.equal(oidcConfiguration.consentRequired, true, what);

      await administer(server, client, "UpdateApplication", { oidcConfiguration: { consentRequired: false } });
      assert.equal(await silently(registeredUri), "a code", "an administrator confirmed it");
      assert.equal((await manage(server, "PUT", client, changed)).status, 401, "and it changes itself no longer");
      assert.equal(await silently(registeredUri), "a code");
      await administer(server, client, "DeleteApplication");
    }
  });

  test("a registration access token ends with what gave it", async (t) => {
    const server = await startOidcServer(t, { engine });
    await setRegistration(server, "token");
    const organizationId = await addOrganization(server, "Bank");
    const ends: Readonly<Record<string, (client: Registered, userId: string) => Promise<void>>> = {
      "position removed": (_client, userId) =>
        expectSuccess(server.connect(`${permissions}/DeleteAdministrator`, { userId, resource: { organizationId } })),
      "account deleted": (_client, userId) => expectSuccess(server.connect(`${users}/DeleteUser`, { userId })),
      "account deactivated": (_client, userId) => expectSuccess(server.connect(`${users}/DeactivateUser`, { userId })),
      "application changed": (client) => administer(server, client, "UpdateApplication", { name: "Ours now" }),
      "another secret": (client) => administer(server, client, "GenerateClientSecret"),
      revoked: async (client) => {
        await administer(server, client, "RevokeRegistrationToken");
        assert.equal(await isTokenShown(server, client), undefined);
        await administer(server, client, "RevokeRegistrationToken");
        const events = await recordedEvents(server);
        assert.equal(events.filter(({ type }) => type === "registration.token.revoked").length, 1);
      },
      "deactivated and activated": async (client) => {
        await administer(server, client, "DeactivateApplication");
        await administer(server, client, "ReactivateApplication");
      },
    };
    let count = 0;
    const make = async (): Promise<{ userId: string; token: string; client: Registered }> => {
      const registrar = await makeRegistrar(server, organizationId, `registrar-${count++}`);
      return { ...registrar, client: await registered(server, minimal, registrar.token) };
    };
    const control = await make();
    const body = { redirect_uris: ["https://evil.example/callback"] };
    for (const [what, end] of Object.entries(ends)) {
      const { userId, client } = await make();
      assert.equal((await manage(server, "GET", client)).status, 200, what);
      assert.equal(await isTokenShown(server, client), true, what);
      await end(client, userId);
      for (const method of ["GET", "PUT", "DELETE"]) {
        const answer = await manage(server, method, client, method === "PUT" ? body : undefined);
        assert.deepEqual([answer.status, answer.body.error], [401, "invalid_token"], `${what}: ${method}`);
      }
      const { oidcConfiguration } = await applicationOf(server, client);
      assert.deepEqual(oidcConfiguration.redirectUris, minimal.redirect_uris, what);
    }

    const { userId, token, client } = control;
    const position = { userId, resource: { organizationId } };
    await expectSuccess(server.connect(`${permissions}/DeleteAdministrator`, position));
    assert.equal((await register(server, minimal, token)).status, 403);
    assert.equal((await manage(server, "GET", client)).status, 401);
    await appoint(server, { userId }, { organizationId }, ["ORG_DYNAMIC_CLIENT_REGISTRAR"]);
    assert.equal((await manage(server, "GET", client)).status, 200, "the registrar has the position again");
    const put = await manage(server, "PUT", client, body);
    assert.equal(put.status, 200);
    assert.equal((await manage(server, "DELETE", put.body)).status, 204);
  });

  test("an openly registered client manages itself until an administrator changes it", async (t) => {
    const server = await startOidcServer(t, { engine });
    await setRegistration(server, "open");
    const client = await registered(server, minimal, null);
    const put = await manage(server, "PUT", client, { redirect_uris: ["https://app.example/other"] });
    assert.equal(put.status, 200, JSON.stringify(put.body));
    await setRegistration(server, "token");
    assert.equal((await manage(server, "GET", put.body)).status, 200);
    await administer(server, client, "UpdateApplication", { oidcConfiguration: { consentRequired: false } });
    for (const method of ["GET", "PUT", "DELETE"]) {
      const { status } = await manage(server, method, put.body, method === "PUT" ? minimal : undefined);
      assert.equal(status, 401, method);
    }
  });
});
