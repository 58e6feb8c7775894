import assert from "node:assert/strict";
import { enter, isBack, visit } from "../../login/support/sign-in.ts";
import { basicOf, type FormAnswer, type OidcServer, type TestClient } from "../../support/oidc/oidc.ts";
import { addOrganization, addPerson, goodPassword, type Person } from "../../support/people/people.ts";
import { addClient } from "../../support/sign-in/sign-in-client.ts";
import { TestBrowser } from "../../support/sign-in/test-browser.ts";

const scope = "openid profile email offline_access";
const redirect = "https://app.example/callback";

/** What the requests of the walk need, made before any statement is noted. */
export interface Walkers {
  readonly people: readonly Person[];
  readonly client: TestClient;
  readonly service: { readonly userId: string; readonly basic: { readonly authorization: string } };
}

export async function prepareWalk(server: OidcServer): Promise<Walkers> {
  const acme = await addOrganization(server, "Acme");
  const people = [
    await addPerson(server, { username: "bob" }),
    await addPerson(server, { username: "eve", organizationId: acme }),
  ];
  const client = await server.createClient({
    grantTypes: ["AUTHORIZATION_CODE", "REFRESH_TOKEN", "DEVICE_CODE", "TOKEN_EXCHANGE"].map(
      (name) => `OIDC_GRANT_TYPE_${name}`,
    ),
  });
  await server.trust(client);
  const machine = { organizationId: server.organizationId, username: "service", machine: { name: "service" } };
  const { body } = await server.rest("POST", "/v2/users/new", { body: machine });
  const secret = await server.rest("POST", `/v2/users/${body.id}/secret`, { body: {} });
  const basic = basicOf("service@doorward.localhost", secret.body.clientSecret);
  return { people, client, service: { userId: body.id, basic } };
}

/** Sends the requests that make up the load of a server, each at least once. */
export async function walk(server: OidcServer, walkers: Walkers): Promise<void> {
  for (const person of walkers.people) await throughPages(server, person);
  await byTokens(server, walkers);
  await byDevice(server, walkers);
  await bySessions(server, walkers);
  await throughLists(server, walkers);
}

/** A user signs in by the pages, is recognized at the next application, and signs out. */
async function throughPages(server: OidcServer, person: Person): Promise<void> {
  const [shop, forum] = [await addClient(server), await addClient(server, {}, "Forum")];
  const first = await visit(server, shop, { scope });
  const wrong = await first.browser.submit(first.page, { login_name: person.loginName }, { action: "/ui/login" });
  await first.browser.submit(wrong, { password: "not the password" }, { action: "/ui/login/password" });
  const again = await visit(server, shop, { scope }, first.browser);
  let page = await enter(again, person);
  for (let step = 0; step < 4 && !isBack(page); step++) page = await first.browser.submit(page);
  assert.ok(isBack(page), page.html);
  const tokens = await shop.exchange(page.address, again.codeVerifier);
  assert.equal(tokens.status, 200, JSON.stringify(tokens.body));
  const second = await visit(server, forum, { scope: "openid" }, first.browser);
  assert.ok(second.page.status < 400 || isBack(second.page), second.page.html);
  await visit(server, forum, { scope: "openid", prompt: "none" }, first.browser);
  await first.browser.open("/ui/account");
  await first.browser.open("/ui/login");
  const hint = { id_token_hint: tokens.body.id_token, client_id: shop.clientId };
  const out = await first.browser.open(`/oidc/v1/end_session?${new URLSearchParams(hint)}`);
  assert.ok(out.status < 400, out.html);
}

/** Everything that clients send to the token, introspection, revocation and userinfo endpoints. */
async function byTokens(server: OidcServer, { client, service, people }: Walkers): Promise<void> {
  const [person] = people as [Person];
  const token = (parameters: Record<string, string>, headers: Record<string, string> = client.basic) =>
    good(server.form("/oauth/v2/token", parameters, headers));
  const issued = await server.tokens({ client, scope, user: person });
  const { access_token: access = "", refresh_token: refresh = "" } = issued;
  await server.rest("GET", "/oidc/v1/userinfo", { token: access });
  await server.introspect(access, client);
  await server.introspect(refresh, client);
  await server.introspect("unknown", client);
  await server.rest("GET", "/auth/v1/users/me", { token: access });
  const renewed = await token({ grant_type: "refresh_token", refresh_token: refresh });
  const exchange = {
    grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
    subject_token: renewed.access_token,
    subject_token_type: "urn:ietf:params:oauth:token-type:access_token",
    scope: "openid",
  };
  await server.form("/oauth/v2/token", exchange, client.basic);
  await server.form("/oauth/v2/revoke", { token: renewed.refresh_token }, client.basic);
  await server.form("/oauth/v2/token", { grant_type: "refresh_token", refresh_token: refresh }, client.basic);
  const machine = await token({ grant_type: "client_credentials", scope: "openid" }, service.basic);
  await server.introspect(machine.access_token, client);
  await server.form("/oauth/v2/revoke", { token: machine.access_token }, service.basic);
  const pushed = await good(server.form("/oauth/v2/par", requestOf(), client.basic));
  const query = { client_id: client.clientId, request_uri: pushed.request_uri };
  await server.answer(new URL(`${server.origin}/oauth/v2/authorize?${new URLSearchParams(query)}`), { user: person });
}

const requestOf = (): Record<string, string> => ({
  redirect_uri: redirect,
  response_type: "code",
  scope: "openid",
  code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
  code_challenge_method: "S256",
});

async function byDevice(server: OidcServer, { client, people }: Walkers): Promise<void> {
  const [person] = people as [Person];
  const waiting = await good(server.form("/oauth/v2/device_authorization", { scope: "openid" }, client.basic));
  const grant_type = "urn:ietf:params:oauth:grant-type:device_code";
  const poll = () => server.form("/oauth/v2/token", { grant_type, device_code: waiting.device_code }, client.basic);
  await poll();
  const browser = new TestBrowser(server);
  const address = new URL(waiting.verification_uri_complete);
  let page = await browser.open(address.pathname + address.search);
  page = await browser.submit(page);
  if (page.html.includes('name="login_name"')) page = await enter({ browser, page }, person);
  for (let step = 0; step < 3 && page.forms.length > 0 && page.status === 200; step++)
    page = await browser.submit(page);
  server.clock.now += 10_000;
  await poll();
}

/** A login of one's own, by the session API. */
async function bySessions(server: OidcServer, { people }: Walkers): Promise<void> {
  const [person] = people as [Person];
  const checks = { user: { loginName: person.loginName }, password: { password: goodPassword } };
  const made = await server.rest("POST", "/v2/sessions", { body: { checks } });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const { sessionId, sessionToken } = made.body;
  await server.rest("GET", "/v2/users/me", { token: sessionToken });
  await server.rest("GET", `/v2/sessions/${sessionId}?sessionToken=${sessionToken}`, { token: server.loginToken });
  await server.rest("GET", `/v2/sessions/${sessionId}`);
  await server.rest("PATCH", `/v2/sessions/${sessionId}`, {
    body: { checks: { password: { password: goodPassword } } },
  });
  for (const queries of [[], [{ idsQuery: { ids: [sessionId] } }], [{ userIdQuery: { id: person.userId } }]]) {
    await found(server, "/v2/sessions/search", { queries });
  }
  await server.rest("DELETE", `/v2/sessions/${sessionId}`, { body: {} });
}

/** The lists that a console and a login ask for most. */
async function throughLists(server: OidcServer, { people, service }: Walkers): Promise<void> {
  const [person] = people as [Person];
  const { userId } = person;
  await server.rest("GET", `/v2/users/${userId}`);
  const users: readonly object[] = [
    {},
    { queries: [{ loginNameQuery: { loginName: person.loginName } }] },
    { queries: [{ emailQuery: { emailAddress: "bob@mail.example" } }] },
    { queries: [{ userNameQuery: { userName: "bo", method: "TEXT_QUERY_METHOD_STARTS_WITH_IGNORE_CASE" } }] },
    { queries: [{ displayNameQuery: { displayName: "examp", method: "TEXT_QUERY_METHOD_CONTAINS_IGNORE_CASE" } }] },
    { queries: [{ inUserIdsQuery: { userIds: [userId, service.userId] } }] },
    {
      queries: [{ organizationIdQuery: { organizationId: person.organizationId } }],
      sortingColumn: "USER_FIELD_NAME_EMAIL",
    },
  ];
  for (const query of users) await found(server, "/v2/users", query);
  await found(server, "/v2/organizations/_search", {});
  await found(server, "/v2/organizations/_search", { queries: [{ nameQuery: { name: "Acme" } }] });
  await found(server, `/v2/users/${userId}/links/_search`, {});
  const methods = [
    "service.project.v2.ProjectService/ListProjects",
    "service.application.v2.ApplicationService/ListApplications",
    "service.authorization.v2.AuthorizationService/ListAuthorizations",
    "service.internal_permission.v2.InternalPermissionService/ListAdministrators",
    "service.user.v2.UserService/ListPersonalAccessTokens",
    "service.user.v2.UserService/ListKeys",
  ];
  for (const method of methods) {
    const { status, body } = await server.connect(method, {});
    assert.equal(status, 200, `${method} ${JSON.stringify(body)}`);
  }
  await server.rest("GET", "/v2/settings/login");
  await found(server, "/admin/v1/events/_search", {});
  await found(server, "/management/v1/users/_search", {});
}

async function found(server: OidcServer, path: string, body: object): Promise<void> {
  const answer = await server.rest("POST", path, { body });
  assert.equal(answer.status, 200, `${path} ${JSON.stringify(answer.body)}`);
}

async function good(asked: Promise<FormAnswer>): Promise<FormAnswer["body"]> {
  const { status, body } = await asked;
  assert.ok(status < 300, `${status} ${JSON.stringify(body)}`);
  return body;
}
