import assert from "node:assert/strict";
import { revokeOwnClient } from "../../../src/domain/token/index.ts";
import { isBack, signedIn, visit } from "../../login/support/sign-in.ts";
import { enginesInTurn } from "../../support/databases/turns.ts";
import { type OidcServer, startOidcServer } from "../../support/oidc/oidc.ts";
import { trustForApi } from "../../support/oidc/trust.ts";
import { addOrganization, addPerson, appoint, type Person, sessionOf } from "../../support/people/people.ts";
import type { ServerOptions } from "../../support/servers/server.ts";
import { addClient, type SignInClient } from "../../support/sign-in/sign-in-client.ts";
import { type ShownPage, TestBrowser } from "../../support/sign-in/test-browser.ts";
import { deviceConfiguration, withDevice } from "../device/support.ts";
import { personCall } from "../token-exchange/person-call.ts";

const scope = "openid email profile phone address offline_access urn:service:iam:user:metadata";
const projects = "service.project.v2.ProjectService";

const isAsked = ({ address }: ShownPage): boolean => address.startsWith("/ui/login/consent?");
const errorOf = ({ address }: ShownPage): string | null => {
  const { searchParams, hash } = new URL(address, "http://localhost");
  return searchParams.get("error") ?? new URLSearchParams(hash.slice(1)).get("error");
};

interface Tenants {
  readonly server: OidcServer;
  /** An organization with people, and the organization that owns the application. */
  readonly home: string;
  readonly elsewhere: string;
  readonly client: SignInClient;
  readonly person: Person;
  readonly browser: TestBrowser;
  /** What becomes of a request: `silent`, `asked`. */
  outcome(of?: { readonly client?: SignInClient; readonly browser?: TestBrowser }): Promise<string>;
  /** Signs in with consent, and returns the tokens. */
  consentedTokens(): Promise<{ readonly access_token: string; readonly refresh_token: string }>;
  refresh(token: string): Promise<{ status: number; body: { error?: string; refresh_token?: string } }>;
  put(method: string, body: object, token?: string): Promise<void>;
}

async function startTenants(
  t: Parameters<typeof startOidcServer>[0],
  engine: "sqlite" | "postgres",
  options: ServerOptions = {},
): Promise<Tenants> {
  const server = await startOidcServer(t, { engine, ...options });
  const home = await addOrganization(server, "Home");
  const elsewhere = await addOrganization(server, "Elsewhere Ltd");
  const client = await addClient(server, {}, "Travel", elsewhere);
  const person = await addPerson(server, { username: "ada", organizationId: home });
  const browser = await signedIn(server, person);
  return {
    server,
    home,
    elsewhere,
    client,
    person,
    browser,
    outcome: async (of = {}) => {
      const [asking, used] = [of.client ?? client, of.browser ?? browser];
      const silent = (await visit(server, asking, { scope, prompt: "none" }, used)).page;
      const shown = (await visit(server, asking, { scope }, used)).page;
      if (isBack(silent)) {
        assert.ok(isBack(shown), shown.address);
        return "silent";
      }
      assert.equal(errorOf(silent), "consent_required");
      assert.ok(isAsked(shown), shown.address);
      return "asked";
    },
    consentedTokens: async () => {
      const { page, codeVerifier } = await visit(server, client, { scope }, browser);
      assert.ok(isAsked(page), page.address);
      const back = await browser.submit(page, { decision: "allow" }, { action: "/ui/login/consent" });
      assert.ok(isBack(back), back.html);
      const { status, body } = await client.exchange(back.address, codeVerifier);
      assert.equal(status, 200, JSON.stringify(body));
      return body;
    },
    refresh: (token) =>
      server.form("/oauth/v2/token", {
        grant_type: "refresh_token",
        refresh_token: token,
        client_id: client.clientId,
      }),
    put: async (method, body, token) => {
      const answer = await server.connect(method, body, token === undefined ? {} : { token });
      assert.equal(answer.status, 200, `${method}: ${JSON.stringify(answer.body)}`);
    },
  };
}

async function skip(server: OidcServer, isSkipped?: boolean): Promise<void> {
  const body = isSkipped === undefined ? {} : { skipConsentAcrossOrganizations: isSkipped };
  const { status } = await server.rest("PUT", "/v2/policies/security", { body });
  assert.equal(status, 200);
}

enginesInTurn((engine, test, both) => {
  test("an application of another organization gets nothing of a user without their consent", async (t) => {
    const { server, elsewhere, client, person, browser, outcome, consentedTokens } = await startTenants(t, engine);
    assert.equal(await outcome(), "asked");
    const implicit = await addClient(
      server,
      { responseTypes: ["id_token", "id_token token"], grantTypes: ["implicit"], isIdTokenUserinfoAssertionOn: true },
      "Front",
      elsewhere,
    );
    for (const responseType of ["id_token", "id_token token"]) {
      const front = { response_type: responseType, nonce: "n", scope, prompt: "none" };
      assert.equal(errorOf((await visit(server, implicit, front, browser)).page), "consent_required", responseType);
    }
    const openid = (await visit(server, client, { scope: "openid", prompt: "none" }, browser)).page;
    assert.equal(errorOf(openid), "consent_required", "even the identifier is the person's");
    const { page } = await visit(server, client, { scope }, browser);
    assert.match(page.html, /Elsewhere Ltd/);
    assert.match(page.html, /Home/);

    const { access_token: token } = await consentedTokens();
    const userinfo = await server.rest("GET", "/oidc/v1/userinfo", { token });
    assert.equal(userinfo.body.email, "ada@mail.example");
    assert.equal(await outcome(), "silent", "what was agreed to is not asked again");
    const more = { scope: `${scope} urn:service:iam:user:resourceowner`, prompt: "none" };
    assert.equal(errorOf((await visit(server, client, more, browser)).page), "consent_required");
    await revokeOwnClient(server.app.domain, await personCall(server, person.userId), { clientId: client.clientId });
    assert.equal(await outcome(), "asked");
    const resident = await addPerson(server, { username: "bob", organizationId: elsewhere });
    assert.equal(await outcome({ browser: await signedIn(server, resident) }), "silent", "people at home there");
    const chief = await signedIn(server, server.user);
    assert.equal(await outcome({ browser: chief }), "asked", "people of the default organization");
  });

  test("the default organization, and applications that the instance trusts, ask no user", async (t) => {
    const { server, client, elsewhere, outcome } = await startTenants(t, engine);
    assert.equal(await outcome({ client: await addClient(server) }), "silent");
    await trustForApi(server, client, client.projectId);
    assert.equal(await outcome(), "silent");
    const owner = await addPerson(server, { username: "owner", organizationId: elsewhere });
    await appoint(server, owner, { organizationId: elsewhere }, ["ORG_OWNER"]);
    const { token } = await sessionOf(server, owner);
    const change = { applicationId: client.applicationId, projectId: client.projectId };
    const refused = await server.connect(
      "service.application.v2.ApplicationService/UpdateApplication",
      { ...change, oidcConfiguration: { trustedForApi: true, redirectUris: ["https://evil.example/"] } },
      { token },
    );
    assert.equal(refused.status, 403);
    const update = {
      ...change,
      oidcConfiguration: { redirectUris: ["https://shop.example/callback", "https://x.example/"] },
    };
    const changed = await server.connect("service.application.v2.ApplicationService/UpdateApplication", update, {
      token,
    });
    assert.equal(changed.status, 200, JSON.stringify(changed.body));
    assert.equal(await outcome(), "asked", "a tenant's change ends the trust");
  });

  test("a project grant speaks for an organization once its own side recognizes it", async (t) => {
    const { server, home, elsewhere, client, person, outcome, put } = await startTenants(t, engine);
    const { projectId } = client;
    const grant = { projectId, grantedOrganizationId: home };
    const owner = await addPerson(server, { username: "owner", organizationId: elsewhere });
    await appoint(server, owner, { organizationId: elsewhere }, ["ORG_OWNER"]);
    const { token: ownerToken } = await sessionOf(server, owner);
    const keeper = await addPerson(server, { username: "keeper", organizationId: home });
    await appoint(server, keeper, { organizationId: home }, ["ORG_OWNER"]);
    const { token: keeperToken } = await sessionOf(server, keeper);
    await put(`${projects}/AddProjectRole`, { projectId, roleKey: "guest", displayName: "Guest" });

    await put(`${projects}/CreateProjectGrant`, { ...grant, roleKeys: ["guest"] }, ownerToken);
    assert.equal(await outcome(), "asked", "the owner of the project grants it to any organization");
    await put(`${projects}/UpdateProjectGrant`, { ...grant, roleKeys: [] }, ownerToken);
    await put(`${projects}/UpdateProjectGrant`, { ...grant, roleKeys: ["guest"] }, ownerToken);
    await put(`${projects}/DeactivateProjectGrant`, grant, ownerToken);
    await put(`${projects}/ActivateProjectGrant`, grant, ownerToken);
    const assignment = { userId: person.userId, projectId, roleKeys: ["guest"] };
    await put("service.authorization.v2.AuthorizationService/CreateAuthorization", assignment, ownerToken);
    await appoint(server, owner, { projectGrant: { projectId, organizationId: home } }, ["PROJECT_GRANT_OWNER"]);
    const over = { ...assignment, userId: owner.userId, organizationId: home };
    await put("service.authorization.v2.AuthorizationService/CreateAuthorization", over, ownerToken);
    assert.equal(await outcome(), "asked", "whatever the owner does with it");
    const own = { ...assignment, organizationId: home };
    await put("service.authorization.v2.AuthorizationService/CreateAuthorization", own, keeperToken);
    assert.equal(await outcome(), "silent", "an administrator at home works with it");
    await put(`${projects}/DeactivateProjectGrant`, grant, ownerToken);
    assert.equal(await outcome(), "asked");
    await put(`${projects}/ActivateProjectGrant`, grant, ownerToken);
    assert.equal(await outcome(), "silent");
    await put(`${projects}/DeleteProjectGrant`, grant, ownerToken);
    await put(`${projects}/CreateProjectGrant`, grant, ownerToken);
    assert.equal(await outcome(), "asked", "a new grant is recognized anew");
    await put(`${projects}/DeactivateProjectGrant`, grant);
    await put(`${projects}/ActivateProjectGrant`, grant);
    assert.equal(await outcome(), "silent", "an administrator of the instance speaks for all organizations");
    await put(`${projects}/DeleteProjectGrant`, grant);
    await put(`${projects}/CreateProjectGrant`, grant);
    assert.equal(await outcome(), "silent");
  });

  both("an organization takes back that it recognized a project grant", async (t) => {
    const { server, home, elsewhere, client, person, outcome, put } = await startTenants(t, engine);
    const { projectId } = client;
    const grant = { projectId, grantedOrganizationId: home };
    const tokenOf = async (username: string, organizationId: string, resource: object, role: string) => {
      const user = await addPerson(server, { username, organizationId });
      await appoint(server, user, resource, [role]);
      return (await sessionOf(server, user)).token;
    };
    const owner = await tokenOf("owner", elsewhere, { organizationId: elsewhere }, "ORG_OWNER");
    const keeper = await tokenOf("keeper", home, { organizationId: home }, "ORG_OWNER");
    const clerk = await tokenOf("clerk", home, { organizationId: home }, "ORG_USER_MANAGER");
    await put(`${projects}/AddProjectRole`, { projectId, roleKey: "guest", displayName: "Guest" });
    await put(`${projects}/CreateProjectGrant`, { ...grant, roleKeys: ["guest"] }, owner);
    const ofGrant = { projectGrant: { projectId, organizationId: home } };
    const helper = await tokenOf("helper", elsewhere, ofGrant, "PROJECT_GRANT_OWNER");
    const assignment = { userId: person.userId, projectId, organizationId: home, roleKeys: ["guest"] };
    await put("service.authorization.v2.AuthorizationService/CreateAuthorization", assignment, keeper);
    assert.equal(await outcome(), "silent", "recognized by an assignment");

    const ask = (method: string, token: string) => server.connect(`${projects}/${method}`, grant, { token });
    for (const token of [helper, clerk]) {
      const refused = await ask("DeactivateProjectGrant", token);
      assert.ok([403, 404].includes(refused.status), "a role on the grant, or on users");
    }
    assert.equal((await ask("DeleteProjectGrant", keeper)).status, 403, "the grant is its owner's");
    assert.equal((await ask("ActivateProjectGrant", keeper)).status, 403);
    assert.equal(await outcome(), "silent");
    await put(`${projects}/DeactivateProjectGrant`, grant, owner);
    await put(`${projects}/DeactivateProjectGrant`, grant, keeper);
    await put(`${projects}/ActivateProjectGrant`, grant, owner);
    assert.equal(await outcome(), "asked", "the owner of the project does not speak for the organization");
    await put(
      "service.authorization.v2.AuthorizationService/CreateAuthorization",
      {
        ...assignment,
        userId: (await addPerson(server, { username: "other", organizationId: home })).userId,
      },
      keeper,
    );
    assert.equal(await outcome(), "silent", "recognized again");
    await put(`${projects}/DeactivateProjectGrant`, grant, keeper);
    assert.equal(await outcome(), "asked", "at once");
  });

  test("an application elsewhere exchanges no token that a user gave to another organization's", async (t) => {
    const { server, home, elsewhere, person } = await startTenants(t, engine);
    const grantTypes = ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE", "OIDC_GRANT_TYPE_TOKEN_EXCHANGE"];
    const projectOf = async (organizationId: string, name: string): Promise<string> => {
      const made = await server.connect("service.project.v2.ProjectService/CreateProject", { organizationId, name });
      return made.body.projectId;
    };
    const [own, foreign] = [await projectOf(home, "Own"), await projectOf(elsewhere, "Foreign")];
    const asker = await server.createClient({ grantTypes }, own);
    const sibling = await server.createClient({ grantTypes }, own);
    const stranger = await server.createClient({ grantTypes }, foreign);
    const grant = { projectId: foreign, grantedOrganizationId: home, roleKeys: [] };
    const lent = await server.connect("service.project.v2.ProjectService/CreateProjectGrant", grant);
    assert.equal(lent.status, 200);
    const aud = `urn:service:iam:org:project:id:${foreign}:aud`;
    const tokens = await server.tokens({ user: person, client: asker, scope: `openid email ${aud}` });
    const exchange = async ({ basic }: { readonly basic: Record<string, string> }) => {
      const answer = await server.form(
        "/oauth/v2/token",
        {
          grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
          subject_token: tokens["access_token"] ?? "",
          subject_token_type: "urn:ietf:params:oauth:token-type:access_token",
          scope: "openid email",
        },
        basic,
      );
      return answer.status === 200 ? "done" : answer.body.error;
    };
    assert.equal(await exchange(sibling), "done", "the same project");
    assert.equal(await exchange(stranger), "done", "the administrator of the instance lent it for both sides");
    const off = await server.connect("service.project.v2.ProjectService/DeactivateProjectGrant", {
      projectId: foreign,
      grantedOrganizationId: home,
    });
    assert.equal(off.status, 200);
    assert.equal(await exchange(stranger), "invalid_request", "an application that the user did not let in");
    assert.equal(await exchange(sibling), "done");
  });

  test("refresh tokens of an application elsewhere end with the consent, the grant or the trust", async (t) => {
    const { server, home, client, person, consentedTokens, refresh, put, outcome } = await startTenants(t, engine);
    const first = await refresh((await consentedTokens()).refresh_token);
    assert.equal(first.status, 200, JSON.stringify(first.body));
    await revokeOwnClient(server.app.domain, await personCall(server, person.userId), { clientId: client.clientId });
    const ended = await refresh(first.body.refresh_token ?? "");
    assert.deepEqual([ended.status, ended.body.error], [400, "invalid_grant"]);

    const grant = { projectId: client.projectId, grantedOrganizationId: home };
    await put(`${projects}/CreateProjectGrant`, grant);
    assert.equal(await outcome(), "silent");
    const browser = await signedIn(server, person);
    const { page, codeVerifier } = await visit(server, client, { scope }, browser);
    const silent = (await client.exchange(page.address, codeVerifier)).body;
    const again = await refresh(silent.refresh_token);
    assert.equal(again.status, 200);
    await put(`${projects}/DeactivateProjectGrant`, grant);
    const away = await refresh(again.body.refresh_token ?? "");
    assert.deepEqual([away.status, away.body.error], [400, "invalid_grant"]);
    // A code that was given while the grant held is not redeemed after it.
    await put(`${projects}/ActivateProjectGrant`, grant);
    const waiting = await visit(server, client, { scope }, browser);
    assert.ok(isBack(waiting.page), waiting.page.address);
    await put(`${projects}/DeactivateProjectGrant`, grant);
    const late = await client.exchange(waiting.page.address, waiting.codeVerifier);
    assert.deepEqual([late.status, late.body.error], [400, "invalid_grant"]);
  });

  test("another login reports the consent for an application elsewhere, and approves devices with it", async (t) => {
    const { server, client, person, elsewhere } = await startTenants(t, engine);
    const { userId, password } = person;
    const { sessionId, sessionToken } = (
      await server.rest("POST", "/v2/sessions", {
        body: { checks: { user: { userId }, password: { password } } },
      })
    ).body;
    const browser = new TestBrowser(server);
    const { page } = await visit(server, client, { scope }, browser);
    const authRequest = new URL(page.address, "http://localhost").searchParams.get("authRequest");
    const answer = (consentGiven?: boolean) =>
      server.rest("POST", `/v2/oidc/auth_requests/${authRequest}`, {
        token: server.loginToken,
        body: { session: { sessionId, sessionToken }, ...(consentGiven !== undefined && { consentGiven }) },
      });
    assert.equal((await answer()).status, 400);
    assert.ok((await answer(true)).status < 300);

    const projectId = client.projectId;
    const made = await server.createClient(deviceConfiguration, projectId);
    assert.notEqual(elsewhere, server.organizationId);
    const devices = await withDevice(server);
    const poll = (deviceCode: string) => devices.poll(deviceCode, { client_id: made.clientId });
    const ask = async () => (await devices.ask({ client_id: made.clientId, scope })).body;
    const device = await ask();
    const decided = await devices.decide(device.user_code, { sessionId, sessionToken });
    assert.equal(decided.status, 200, JSON.stringify(decided.body));
    const tokens = await poll(device.device_code);
    assert.equal(tokens.status, 200, JSON.stringify(tokens.body));
    const refresh = (token: string) =>
      server.form("/oauth/v2/token", { grant_type: "refresh_token", refresh_token: token, client_id: made.clientId });
    const again = await refresh(tokens.body.refresh_token);
    assert.equal(again.status, 200, JSON.stringify(again.body));
    const second = await ask();
    assert.equal((await devices.decide(second.user_code, { sessionId, sessionToken })).status, 200);
    await revokeOwnClient(server.app.domain, await personCall(server, userId), { clientId: made.clientId });
    assert.equal((await poll(second.device_code)).status, 400);
    assert.equal((await refresh(again.body.refresh_token)).status, 400);

    // Our own page says whose application it is.
    const third = await ask();
    const own = await signedIn(server, person);
    const confirm = await own.submit(await own.open("/ui/login/device"), { user_code: third.user_code });
    assert.match(confirm.html, /belongs to <strong><bdi>Elsewhere Ltd<\/bdi><\/strong>/);
    const allowing = confirm.forms.filter(({ values }) => values.some(([, value]) => value === "allow"));
    await own.submit({ ...confirm, forms: allowing });
    const shown = await poll(third.device_code);
    assert.equal(shown.status, 200, JSON.stringify(shown.body));
    const resident = await addPerson(server, { username: "bob", organizationId: elsewhere });
    const theirs = await signedIn(server, resident);
    const { user_code: code } = await ask();
    const trusted = await theirs.submit(await theirs.open("/ui/login/device"), { user_code: code });
    assert.match(trusted.html, /Allow this device/);
    assert.doesNotMatch(trusted.html, /belongs to/);
  });

  test("an instance may skip the question, and a caller who does not know the setting keeps it", async (t) => {
    const { server, outcome } = await startTenants(t, engine);
    assert.equal(await outcome(), "asked");
    await skip(server, true);
    assert.equal(await outcome(), "silent");
    await skip(server);
    assert.equal(await outcome(), "silent");
    const read = await server.rest("GET", "/v2/settings/security");
    assert.equal(read.body.settings.skipConsentAcrossOrganizations, true);
    await skip(server, false);
    assert.equal(await outcome(), "asked");
  });

  test("the strict profile asks across organizations, whatever is stored", async (t) => {
    const { server, outcome } = await startTenants(t, engine, { config: { profile: "strict" } });
    await skip(server, true);
    assert.equal(await outcome(), "asked");
    const read = await server.rest("GET", "/v2/settings/security");
    assert.equal(read.body.settings.skipConsentAcrossOrganizations ?? false, false);
  });
});
