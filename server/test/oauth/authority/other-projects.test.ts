import assert from "node:assert/strict";
import { decodeJwt } from "jose";
import { isBack, signedIn, visit } from "../../login/support/sign-in.ts";
import { enginesInTurn } from "../../support/databases/turns.ts";
import { basicOf, type OidcServer, startOidcServer, type TestClient } from "../../support/oidc/oidc.ts";
import { addResource } from "../../support/oidc/resources.ts";
import { trustForApi } from "../../support/oidc/trust.ts";
import { addOrganization, addPerson } from "../../support/people/people.ts";
import { addClient, type SignInClient } from "../../support/sign-in/sign-in-client.ts";
import type { ShownPage, TestBrowser } from "../../support/sign-in/test-browser.ts";

const iam = "urn:service:iam";
const projects = "service.project.v2.ProjectService";
const scopeOf = (projectId: string, more = ""): string =>
  `openid offline_access ${iam}:org:project:id:${projectId}:aud ${iam}:org:projects:roles ${more}`.trim();

const errorOf = ({ address }: ShownPage): string | null =>
  new URL(address, "http://localhost").searchParams.get("error");
const isAsked = ({ address }: ShownPage): boolean => address.startsWith("/ui/login/consent?");

async function ok(answering: ReturnType<OidcServer["connect"]>) {
  const { status, body } = await answering;
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

/** A project of another organization with an API application, and a role in it for the person. */
async function makeForeign(server: OidcServer, name: string) {
  const organizationId = await addOrganization(server, `${name} Ltd`);
  const { projectId } = await ok(server.connect(`${projects}/CreateProject`, { organizationId, name }));
  await ok(server.connect(`${projects}/AddProjectRole`, { projectId, roleKey: "teller", displayName: "Teller" }));
  const { userId } = server.user;
  await ok(
    server.connect("service.authorization.v2.AuthorizationService/CreateAuthorization", {
      userId,
      projectId,
      organizationId,
      roleKeys: ["teller"],
    }),
  );
  const made = await ok(
    server.connect("service.application.v2.ApplicationService/CreateApplication", {
      projectId,
      name: "API",
      apiConfiguration: { authMethodType: "API_AUTH_METHOD_TYPE_BASIC" },
    }),
  );
  const { clientId, clientSecret } = made.apiConfiguration;
  const api: TestClient = {
    applicationId: made.applicationId,
    clientId,
    clientSecret,
    redirectUri: "",
    basic: basicOf(clientId, clientSecret),
  };
  return { organizationId, projectId, api };
}

async function redeem(client: SignInClient, page: ShownPage, codeVerifier: string) {
  assert.ok(isBack(page), page.html);
  const { status, body } = await client.exchange(page.address, codeVerifier);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

async function rolesAt(server: OidcServer, token: string, projectId: string): Promise<unknown> {
  const userinfo = await server.rest("GET", "/oidc/v1/userinfo", { token });
  return userinfo.body[`${iam}:org:project:${projectId}:roles`];
}

enginesInTurn((engine, test) => {
  test("a foreign project is in the audience by a grant or by consent, otherwise not at all (A7)", async (t) => {
    const server = await startOidcServer(t, { engine });
    const bank = await makeForeign(server, "Bank");
    const browser = await signedIn(server, server.user);
    const client = await addClient(server);
    const open = (parameters: Record<string, string>, by: TestBrowser = browser) =>
      visit(server, client, parameters, by);

    for (const made of ["anything", "0", bank.api.clientId, bank.organizationId]) {
      const { page } = await open({ scope: scopeOf(made) });
      assert.equal(errorOf(page), "invalid_scope", made);
    }
    const named = { organizationId: server.organizationId, name: "Trap", projectId: bank.api.clientId };
    const trap = await server.connect(`${projects}/CreateProject`, named);
    assert.equal(trap.status, 409, "an id is given once (A9)");
    assert.equal(errorOf((await open({ scope: scopeOf(bank.api.clientId) })).page), "invalid_scope", "a client's id");
    const silent = await open({ scope: scopeOf(bank.projectId), prompt: "none" });
    assert.equal(errorOf(silent.page), "consent_required");
    const asked = await open({ scope: scopeOf(bank.projectId) });
    assert.ok(isAsked(asked.page), asked.page.address);
    assert.ok(asked.page.html.includes("Bank (Bank Ltd)"), asked.page.html);

    const back = await browser.submit(asked.page, { decision: "allow" }, { action: "/ui/login/consent" });
    const tokens = await redeem(client, back, asked.codeVerifier);
    assert.equal((await server.introspect(tokens.access_token, bank.api))["active"], true);
    assert.ok(await rolesAt(server, tokens.access_token, bank.projectId));

    // What the user takes away, or the owner of the project ends, is not renewed.
    const refresh = (refreshToken: string) =>
      server.form("/oauth/v2/token", {
        grant_type: "refresh_token",
        refresh_token: refreshToken,
        client_id: client.clientId,
      });
    const renewed = await refresh(tokens.refresh_token);
    assert.equal((await server.introspect(renewed.body.access_token, bank.api))["active"], true);
    await ok(server.connect(`${projects}/DeactivateProject`, { projectId: bank.projectId }));
    const after = await refresh(renewed.body.refresh_token);
    assert.equal(after.status, 200, JSON.stringify(after.body));
    assert.ok(!after.body.scope.includes(bank.projectId), after.body.scope);
    await ok(server.connect(`${projects}/ActivateProject`, { projectId: bank.projectId }));
    assert.deepEqual(await server.introspect(after.body.access_token, bank.api), { active: false });
    assert.equal(await rolesAt(server, after.body.access_token, bank.projectId), undefined);
  });

  test("a project grant, or the same organization, spares the consent; a deactivated grant does not (A7)", async (t) => {
    const server = await startOidcServer(t, { engine });
    const bank = await makeForeign(server, "Bank");
    const { organizationId, user } = server;
    const browser = await signedIn(server, user);
    const client = await addClient(server);
    const { projectId: sibling } = await ok(
      server.connect(`${projects}/CreateProject`, { organizationId, name: "Sibling" }),
    );
    const silently = async (projectId: string) => {
      const { page, codeVerifier } = await visit(
        server,
        client,
        { scope: scopeOf(projectId), prompt: "none" },
        browser,
      );
      return errorOf(page) ?? (await redeem(client, page, codeVerifier));
    };
    assert.notEqual(await silently(sibling), "consent_required");
    assert.equal(await silently(bank.projectId), "consent_required");
    const grant = { projectId: bank.projectId, grantedOrganizationId: organizationId };
    await ok(server.connect(`${projects}/CreateProjectGrant`, { ...grant, roleKeys: ["teller"] }));
    const { access_token: token } = await silently(bank.projectId);
    assert.equal((await server.introspect(token, bank.api))["active"], true);
    await ok(server.connect(`${projects}/DeactivateProjectGrant`, grant));
    assert.equal(await silently(bank.projectId), "consent_required");
  });

  test("a project grant spares the consent of the users it was made for, and of no others (A7)", async (t) => {
    const server = await startOidcServer(t, { engine });
    const bank = await makeForeign(server, "Bank");
    const grant = { projectId: bank.projectId, grantedOrganizationId: server.organizationId };
    await ok(server.connect(`${projects}/CreateProjectGrant`, { ...grant, roleKeys: [] }));
    const resource = "https://bank.example/api";
    await addResource(server, bank.projectId, resource);
    const third = await addOrganization(server, "Third");
    const people = [
      { who: "of the owner", organizationId: bank.organizationId },
      { who: "of a third organization", organizationId: third },
    ];
    const client = await addClient(server);
    const trusted = await addClient(server);
    await trustForApi(server, trusted, trusted.projectId);
    const silently = async (browser: TestBrowser, parameters: Record<string, string>, by = client) => {
      const { page } = await visit(server, by, { prompt: "none", ...parameters }, browser);
      return errorOf(page) ?? "done";
    };
    const toProject = { scope: scopeOf(bank.projectId) };
    const toResource = { scope: "openid", resource };
    for (const { who, organizationId } of people) {
      const person = await addPerson(server, { username: `person-${organizationId}`, organizationId });
      const browser = await signedIn(server, person);
      assert.equal(await silently(browser, { scope: "openid" }), "done", who);
      assert.equal(await silently(browser, toProject), "consent_required", who);
      assert.equal(await silently(browser, toResource), "consent_required", who);
      assert.equal(await silently(browser, toProject, trusted), "done", "the instance trusts the application");
      // One consent is for the project, and says nothing about the resource.
      const asked = await visit(server, client, toProject, browser);
      assert.ok(isAsked(asked.page), asked.page.address);
      const back = await browser.submit(asked.page, { decision: "allow" }, { action: "/ui/login/consent" });
      const tokens = await redeem(client, back, asked.codeVerifier);
      assert.equal((await server.introspect(tokens.access_token, bank.api))["active"], true, who);
      assert.equal(await silently(browser, toResource), "consent_required", who);
    }
    const own = await signedIn(server, server.user);
    assert.equal(await silently(own, toProject), "done");
    assert.equal(await silently(own, toResource), "done");
  });

  test("a resource is a name in the access token, and opens neither our APIs nor those of others (A7)", async (t) => {
    const server = await startOidcServer(t, { engine });
    const bank = await makeForeign(server, "Bank");
    const client = await server.createClient({ accessTokenType: "OIDC_TOKEN_TYPE_JWT", wideIdTokenAudience: true });
    const resource = "https://app.example/api";
    await addResource(server, server.projectId, resource, { tokenFormat: "RESOURCE_TOKEN_FORMAT_JWT" });
    const scope = `openid ${iam}:org:projects:roles`;
    const tokens = await server.tokens({ client, scope, parameters: { resource } });
    const { access_token: token = "", id_token: idToken = "" } = tokens;
    assert.deepEqual(decodeJwt(token).aud, [client.clientId, resource]);
    assert.deepEqual(decodeJwt(idToken).aud, [client.clientId]);
    assert.equal(await rolesAt(server, token, bank.projectId), undefined);
    assert.deepEqual(await server.introspect(token, bank.api), { active: false });
    assert.equal((await server.rest("GET", `/v2/users/${server.user.userId}`, { token })).status, 401);
  });

  test("service accounts name projects that exist, in any organization (A7)", async (t) => {
    const server = await startOidcServer(t, { engine });
    const bank = await makeForeign(server, "Bank");
    const machine = { organizationId: server.organizationId, username: "robot", machine: { name: "Robot" } };
    const { id } = (await server.rest("POST", "/v2/users/new", { body: machine })).body;
    const { clientSecret } = (await server.rest("POST", `/v2/users/${id}/secret`, { body: {} })).body;
    const ask = (projectId: string) => {
      const scope = `openid ${iam}:org:project:id:${projectId}:aud`;
      return server.form(
        "/oauth/v2/token",
        { grant_type: "client_credentials", scope },
        basicOf("robot", clientSecret),
      );
    };
    const made = await ask(bank.api.clientId);
    assert.deepEqual([made.status, made.body.error], [400, "invalid_scope"]);
    const { body } = await ask(bank.projectId);
    assert.equal((await server.introspect(body.access_token, bank.api))["active"], true);
  });

  test("an id token is for the client alone, unless its application says otherwise (R5)", async (t) => {
    const server = await startOidcServer(t, { engine });
    const { client, projectId } = server;
    const { projectId: other } = await ok(
      server.connect(`${projects}/CreateProject`, { organizationId: server.organizationId, name: "Other" }),
    );
    const narrow = await server.tokens({ scope: scopeOf(other) });
    assert.deepEqual(decodeJwt(narrow["id_token"] ?? "").aud, [client.clientId]);
    const introspected = await server.introspect(narrow["access_token"] ?? "");
    for (const name of [client.clientId, projectId, other]) {
      assert.ok((introspected["aud"] as string[]).includes(name), "the access token is as wide as before");
    }
    const wide = await server.createClient({ wideIdTokenAudience: true, trustedForApi: true });
    const scope = `${scopeOf(other)} ${iam}:org:project:id:service:aud`;
    const tokens = await server.tokens({ client: wide, scope });
    const audience = decodeJwt(tokens["id_token"] ?? "").aud as string[];
    assert.deepEqual(new Set(audience), new Set([wide.clientId, client.clientId, projectId, other]));
  });
});
