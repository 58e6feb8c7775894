import assert from "node:assert/strict";
import { test } from "node:test";
import { eachEngine } from "../../support/databases/databases.ts";
import { fetch } from "../../support/http/fetch.ts";
import { basicOf, type OidcServer, startOidcServer, type TestClient } from "../../support/oidc/oidc.ts";
import {
  makeRegistrar,
  makeServiceAccount,
  minimal,
  register,
  registered,
  registrationPath,
  setRegistration,
} from "../../support/oidc/registration.ts";
import { addOrganization } from "../../support/people/people.ts";
import { race, startCluster } from "../../support/servers/nodes.ts";
import { recordedEvents } from "../../support/servers/recorded-events.ts";

const pathOf = ({ client_id }: { readonly client_id: string }): string => `${registrationPath}/${client_id}`;

const discovery = async (server: OidcServer) =>
  (await server.rest("GET", "/.well-known/openid-configuration", { token: null })).body;

const applications = async (
  server: OidcServer,
): Promise<{ applicationId: string; projectId: string; name: string }[]> =>
  (await server.connect("service.application.v2.ApplicationService/ListApplications", {})).body.applications ?? [];

/** A registered client as the helpers for signing in take it. */
const toClient = (body: Record<string, string>): TestClient => ({
  applicationId: "",
  clientId: body["client_id"] ?? "",
  clientSecret: body["client_secret"] ?? "",
  redirectUri: "https://app.example/callback",
  basic: {
    authorization: `Basic ${Buffer.from(`${body["client_id"]}:${body["client_secret"]}`).toString("base64")}`,
  },
});

eachEngine((_open, engine) => {
  test("off: nothing is served and nothing advertised, to any caller; switching acts at once", async (t) => {
    const server = await startOidcServer(t, { engine });
    for (const token of [undefined, null]) {
      assert.equal((await register(server, minimal, token)).status, 404);
      for (const method of ["GET", "PUT", "DELETE"]) {
        const answer = await server.rest(method, `${registrationPath}/1`, token === undefined ? {} : { token });
        assert.equal(answer.status, 404, method);
      }
    }
    assert.equal((await discovery(server)).registration_endpoint, undefined);
    await setRegistration(server, "open");
    assert.equal((await discovery(server)).registration_endpoint, `${server.origin}${registrationPath}`);
    const client = await registered(server, minimal, null);
    await setRegistration(server, "off");
    assert.equal((await discovery(server)).registration_endpoint, undefined);
    const { registration_access_token: token } = client;
    for (const method of ["GET", "PUT", "DELETE"]) {
      const body = method === "PUT" ? { body: minimal } : {};
      assert.equal((await server.rest(method, pathOf(client), { token, ...body })).status, 404, method);
    }
    await setRegistration(server, "token");
    assert.equal((await server.rest("GET", pathOf(client), { token })).status, 200, "management follows the switch");
  });

  test("registration by setting: no client, a token without the permission, one with it, any client", async (t) => {
    const server = await startOidcServer(t, { engine });
    const elsewhere = await addOrganization(server, "Elsewhere");
    const registrar = await makeRegistrar(server, elsewhere);
    const nobody = await makeServiceAccount(server, elsewhere, "nobody");
    const forUs = "openid urn:service:iam:org:project:id:service:aud";
    const personal = (await server.tokens({ scope: "openid" }))["access_token"] ?? "";
    const personalForUs = (await server.tokens({ scope: forUs }))["access_token"] ?? "";
    const ended = (await server.tokens({ scope: forUs }))["access_token"] ?? "";
    await server.form("/oauth/v2/revoke", { token: ended }, server.client.basic);

    const cases: readonly [what: string, token: string | null, inTokenMode: string, inOpenMode: string][] = [
      ["no token", null, "401 invalid_token", "201"],
      ["a token that is none", "x", "401 invalid_token", "401 invalid_token"],
      ["a malformed token", "a b", "401 invalid_token", "401 invalid_token"],
      ["a revoked token", ended, "401 invalid_token", "401 invalid_token"],
      ["a refused user", nobody.token, "403 insufficient_scope", "403 insufficient_scope"],
      ["a user's token for an application", personal, "403 insufficient_scope", "403 insufficient_scope"],
      ["a user's token for our APIs", personalForUs, "403 insufficient_scope", "403 insufficient_scope"],
      ["a registrar", registrar.token, "201", "201"],
      ["an owner", server.ownerToken, "201", "201"],
    ];
    for (const mode of ["token", "open"] as const) {
      await setRegistration(server, mode);
      for (const [what, token, inTokenMode, inOpenMode] of cases) {
        const { status, body, headers } = await register(server, minimal, token);
        const expected = mode === "token" ? inTokenMode : inOpenMode;
        assert.equal(`${status} ${body.error ?? ""}`.trim(), expected, `${mode}, ${what}: ${JSON.stringify(body)}`);
        if (status === 201) continue;
        assert.match(headers.get("www-authenticate") ?? "", new RegExp(`^Bearer error="${body.error}"`), what);
        assert.equal(headers.get("cache-control"), "no-store");
        assert.equal(headers.get("content-type"), "application/json");
      }
    }
  });

  test("a client belongs to the token's organization, or in the default one, and signs users in at once", async (t) => {
    const server = await startOidcServer(t, { engine });
    await setRegistration(server, "open");
    const elsewhere = await addOrganization(server, "Elsewhere");
    const { token } = await makeRegistrar(server, elsewhere);
    const metadata = { ...minimal, grant_types: ["authorization_code", "refresh_token"], client_name: "Shop" };
    const ofElsewhere = await registered(server, metadata, token);
    const ofDefault = await registered(server, metadata, null);
    const all = await applications(server);
    const startOf = async (token: string | null): Promise<string | undefined> => {
      const { client_id: clientId } = await registered(
        server,
        { ...minimal, initiate_login_uri: "https://app.example/start" },
        token,
      );
      return (await server.app.domain.clients.find((await instanceOf(server)).instanceId, clientId))?.initiateLoginUri;
    };
    assert.equal(await startOf(token), "https://app.example/start");
    assert.equal(await startOf(null), "", "no link of ours leads where a stranger wants people to go");
    const projectOf = async (clientId: string): Promise<string> => {
      const client = await server.app.domain.clients.find((await instanceOf(server)).instanceId, clientId);
      assert.ok(client && all.some(({ projectId }) => projectId === client.projectId));
      return client.organizationId;
    };
    assert.equal(await projectOf(ofElsewhere.client_id), elsewhere);
    assert.equal(await projectOf(ofDefault.client_id), server.organizationId);

    for (const body of [ofDefault, ofElsewhere]) {
      const client = toClient(body);
      const tokens = await server.tokens({ client, scope: "openid offline_access" });
      assert.ok(tokens["refresh_token"]);
      const introspected = await server.introspect(tokens["access_token"] ?? "", client);
      assert.deepEqual(introspected["aud"], [client.clientId], "clients that do not know one another share nothing");
      assert.equal((await server.introspect(tokens["access_token"] ?? "", server.client))["active"], false);
      // Opaque, as every registered client gets.
      assert.doesNotMatch(tokens["access_token"] ?? "", /\./);
    }
  });

  test("reading, replacing and deleting, with the newest token alone", async (t) => {
    const server = await startOidcServer(t, { engine });
    await setRegistration(server, "open");
    const made = await registered(server, { ...minimal, client_name: "Shop", contacts: ["a@b.example"] }, null);
    const other = await registered(server, minimal, null);
    const path = pathOf(made);
    const call = (method: string, token: string | null, body?: unknown) =>
      server.rest(method, path, { token, ...(body !== undefined && { body }) });

    for (const token of [null, "x", made.client_secret, other.registration_access_token, server.ownerToken]) {
      for (const method of ["GET", "PUT", "DELETE"]) {
        const { status, body, headers } = await call(method, token, method === "PUT" ? minimal : undefined);
        assert.deepEqual([status, body.error], [401, "invalid_token"], `${method} with ${token}`);
        assert.match(headers.get("www-authenticate") ?? "", /^Bearer error="invalid_token"/);
      }
    }

    const own = made.registration_access_token;
    for (const authorization of [`DPoP ${own}`, `Bearer  ${own}`, own, `Bearer ${own} `.concat("x")]) {
      const refused = await fetch(server.origin + path, { headers: { authorization } });
      assert.equal(refused.status, 401, authorization);
    }

    const replacement = {
      client_id: made.client_id,
      client_secret: made.client_secret,
      redirect_uris: ["https://app.example/callback", "https://app.example/other"],
      client_name: "Store",
    };
    for (const [what, metadata, error] of [
      ["another client_id", { ...replacement, client_id: other.client_id }, "invalid_client_metadata"],
      ["another client_secret", { ...replacement, client_secret: "guess" }, "invalid_client_metadata"],
      ["no redirect URI", { client_id: made.client_id }, "invalid_redirect_uri"],
      ["what is refused at registration", { ...minimal, subject_type: "pairwise" }, "invalid_client_metadata"],
      ["no JSON", "{", "invalid_client_metadata"],
    ] as const) {
      const { status, body } = await call("PUT", made.registration_access_token, metadata);
      assert.deepEqual([status, body.error], [400, error], what);
    }
    const replaced = await call("PUT", made.registration_access_token, replacement);
    assert.equal(replaced.status, 200, JSON.stringify(replaced.body));
    const { registration_access_token: newest, ...described } = replaced.body;
    assert.deepEqual(described.redirect_uris, replacement.redirect_uris);
    assert.equal(described.client_name, "Store");
    assert.equal(described.contacts, undefined, "replacing is complete");
    assert.equal(described.client_secret, undefined);
    assert.equal(described.client_id_issued_at, made.client_id_issued_at);
    for (const method of ["GET", "PUT", "DELETE"]) {
      const { status } = await call(method, made.registration_access_token, method === "PUT" ? replacement : undefined);
      assert.equal(status, 401, `${method} with the former token`);
    }
    assert.deepEqual((await call("GET", newest)).body, described);
    const again = await call("PUT", newest, replacement);
    assert.notEqual(
      again.body.registration_access_token,
      newest,
      "each PUT makes another token, also without a change",
    );

    const client = toClient(made);
    const { access_token: accessToken = "" } = await server.tokens({ client });
    const last = again.body.registration_access_token;
    const deleted = await call("DELETE", last);
    assert.deepEqual([deleted.status, deleted.body], [204, ""]);
    for (const method of ["GET", "PUT", "DELETE"]) {
      const { status, body } = await call(method, last, method === "PUT" ? replacement : undefined);
      assert.deepEqual([status, body.error], [404, "invalid_client"], method);
    }
    assert.equal((await server.rest("GET", "/oidc/v1/userinfo", { token: accessToken })).status, 401);
    assert.equal(
      (await server.form("/oauth/v2/token", { grant_type: "refresh_token", refresh_token: "x" }, client.basic)).status,
      401,
    );
  });

  test("switching to a secret gives one with the answer, once; to none forgets it (RFC 7592 §2.2)", async (t) => {
    const server = await startOidcServer(t, { engine });
    await setRegistration(server, "open");
    const made = await registered(server, { ...minimal, token_endpoint_auth_method: "none" }, null);
    const put = async (token: string, method: string) => {
      const body = { ...minimal, token_endpoint_auth_method: method };
      const answer = await server.rest("PUT", pathOf(made), { token, body });
      assert.equal(answer.status, 200);
      assert.equal(answer.body.token_endpoint_auth_method, method);
      return answer.body;
    };
    const works = async (secret: string): Promise<boolean> => {
      const form = { grant_type: "refresh_token", refresh_token: "x" };
      const { body } = await server.form("/oauth/v2/token", form, basicOf(made.client_id, secret));
      return body.error === "unauthorized_client";
    };
    const given = await put(made.registration_access_token, "client_secret_basic");
    assert.equal(given.client_secret_expires_at, 0);
    assert.ok(await works(given.client_secret));
    assert.equal(await works("another"), false);
    const kept = await put(given.registration_access_token, "client_secret_post");
    assert.equal(kept.client_secret, undefined, "it has one");
    assert.ok(await works(given.client_secret));
    const open = await put(kept.registration_access_token, "none");
    assert.equal(open.client_secret, undefined);
    const renewed = await put(open.registration_access_token, "client_secret_basic");
    assert.notEqual(renewed.client_secret, given.client_secret);
    assert.equal(await works(given.client_secret), false);
    assert.ok(await works(renewed.client_secret));
  });

  test("a client that is not active cannot be managed", async (t) => {
    const server = await startOidcServer(t, { engine });
    await setRegistration(server, "open");
    const made = await registered(server, minimal, null);
    const [application] = (await applications(server)).filter(({ name }) => name.startsWith("Client ("));
    assert.ok(application);
    const { applicationId, projectId } = application;
    const change = async (method: string): Promise<void> => {
      const ofApplication = method.includes("ApplicationService") ? { applicationId } : {};
      const answer = await server.connect(method, { projectId, ...ofApplication });
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
    };
    const other = await registered(server, minimal, null);
    const read = async (of = made): Promise<string> => {
      const { status, body } = await server.rest("GET", pathOf(of), { token: of.registration_access_token });
      return `${status} ${body.error ?? ""}`.trim();
    };
    const states = [
      ["service.application.v2.ApplicationService/DeactivateApplication", "404 invalid_client"],
      ["service.application.v2.ApplicationService/ReactivateApplication", "401 invalid_token"],
      ["service.project.v2.ProjectService/DeactivateProject", "404 invalid_client"],
    ] as const;
    for (const [method, expected] of states) {
      await change(method);
      assert.equal(await read(), expected, method);
    }
    const { status, body } = await register(server, minimal, null);
    assert.deepEqual([status, body.error], [403, "access_denied"], "the project of registered clients is off");
    assert.equal(await read(other), "404 invalid_client");
    await change("service.project.v2.ProjectService/ActivateProject");
    assert.equal(await read(other), "200");
    await change("service.project.v2.ProjectService/DeleteProject");
    assert.equal(await read(), "404 invalid_client");
    await registered(server, minimal, null);
  });

  test("registering leaves events that say who and what, and no secret", async (t) => {
    const server = await startOidcServer(t, { engine });
    await setRegistration(server, "open");
    const { instanceId } = await instanceOf(server);
    const { token, userId } = await makeRegistrar(server, server.organizationId);
    const made = await registered(server, { ...minimal, client_name: "Shop" }, token);
    const put = await server.rest("PUT", pathOf(made), { token: made.registration_access_token, body: minimal });
    await server.rest("DELETE", pathOf(made), { token: put.body.registration_access_token });
    const events = await recordedEvents(server);
    const feed = events.filter(
      ({ aggregateId, instanceId: of }) => of === instanceId && aggregateId === made.client_id,
    );
    assert.deepEqual(
      feed.map(({ type, sequence }) => [type, sequence]),
      [
        ["registration.created", 1],
        ["registration.updated", 2],
        ["registration.deleted", 3],
      ],
    );
    assert.equal(feed[0]?.editorUserId, userId);
    assert.equal(feed[0]?.payload["clientName"], "Shop");
    const everything = JSON.stringify(events);
    for (const secret of [made.client_secret, made.registration_access_token]) assert.ok(!everything.includes(secret));
  });

  test("strangers fill neither the instance nor the share of others, and what they leave unused goes", async (t) => {
    const server = await startOidcServer(t, { engine, config: { trustedProxies: ["127.0.0.0/8"] } });
    const quota = { maxUnusedClients: 5, maxUnusedClientsPerSource: 2, unusedClientLifetime: "3600s" };
    await setRegistration(server, "open", quota);
    const from = (address: string) =>
      server.rest("POST", registrationPath, { body: minimal, token: null, headers: { "x-forwarded-for": address } });
    const statuses = async (...addresses: string[]): Promise<number[]> => {
      const all: number[] = [];
      for (const address of addresses) all.push((await from(address)).status);
      return all;
    };
    const used = await from("192.0.2.1");
    assert.deepEqual(await statuses("192.0.2.1", "192.0.2.1", "192.0.2.2"), [201, 429, 201]);
    assert.deepEqual(await statuses("2001:db8::1", "2001:db8::ffff:1"), [201, 201]);
    assert.deepEqual(await statuses("198.51.100.9", "198.51.100.10"), [201, 201], "those with two made room");
    const refused = await from("198.51.100.11");
    assert.deepEqual([refused.status, refused.body.error], [429, "temporarily_unavailable"]);
    assert.equal(refused.headers.get("retry-after"), "3600");
    await registered(server, minimal);
    assert.equal((await register(server, minimal)).status, 201, "whoever has the permission is not limited");

    await server.tokens({ client: toClient(used.body) });
    await server.app.jobs.tick();
    assert.deepEqual(await statuses("192.0.2.1", "192.0.2.1"), [201, 429], "one that was used counts no more");
    server.clock.now += 3_600_000;
    await server.app.jobs.tick();
    const { client_id: clientId, registration_access_token: token } = used.body;
    assert.equal((await server.rest("GET", `${registrationPath}/${clientId}`, { token })).status, 200);
    const left = (await applications(server)).filter(({ name }) => name.startsWith("Client ("));
    assert.equal(left.length, 3, "the used one, and the two of the owner");
    assert.deepEqual(await statuses("192.0.2.1", "192.0.2.1", "192.0.2.1"), [201, 201, 429]);
  });

  test("many first registrations at once make one project, and keep the quota", async (t) => {
    const cluster = await startCluster(t, engine, engine === "sqlite" ? 1 : 2);
    const { first } = cluster;
    await setRegistration(first, "open", { maxUnusedClientsPerSource: 8 });
    const answers = await race(20, cluster, (node) => register(node, minimal, null));
    const made = answers.filter(({ status }) => status === 201);
    assert.equal(made.length, 8, answers.map(({ status }) => status).join());
    assert.ok(answers.every(({ status }) => status === 201 || status === 429));
    const projects = new Set(
      (await applications(first)).filter(({ name }) => name.startsWith("Client (")).map(({ projectId }) => projectId),
    );
    assert.equal(projects.size, 1);
    const [client] = made;
    const { registration_access_token: token, client_id: clientId } = client?.body ?? {};
    const puts = await race(10, cluster, (node) =>
      node.rest("PUT", `${registrationPath}/${clientId}`, { token, body: minimal }),
    );
    assert.equal(puts.filter(({ status }) => status === 200).length, 1, "a token is good for one replacement");
    assert.equal(puts.filter(({ status }) => status === 401).length, 9);
    assert.equal((await cluster.other.rest("GET", `${registrationPath}/${clientId}`, { token })).status, 401);
  });
});

async function instanceOf(server: OidcServer) {
  const instance = await server.app.domain.findInstanceByHost("localhost");
  assert.ok(instance);
  return instance;
}
