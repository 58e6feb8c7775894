import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { enter, isBack, visit } from "../login/support/sign-in.ts";
import { fetch } from "../support/http/fetch.ts";
import { createKeyedClient, makeKeyedAccount } from "../support/oidc/assertions.ts";
import { setUpOidc, type TestClient } from "../support/oidc/oidc.ts";
import { minimal, register, setRegistration } from "../support/oidc/registration.ts";
import { addOrganization, addPerson, appoint, defaultOrganization } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { eachServer, type Start } from "../support/servers/each-server.ts";
import { addClient } from "../support/sign-in/sign-in-client.ts";
import { TestBrowser } from "../support/sign-in/test-browser.ts";

type Profile = "standard" | "strict";

async function startOidc(t: TestContext, start: Start, profile: Profile) {
  const server = await start(t, { config: { profile } });
  return { ...server, ...(await setUpOidc(server)) };
}

/** Runs a check in both profiles: what the strict one refuses is answered in the standard one. */
function inBoth(name: string, check: (t: TestContext, profile: Profile) => Promise<void>): void {
  for (const profile of ["strict", "standard"] as const) test(`${name} (${profile})`, (t) => check(t, profile));
}

eachServer((start) => {
  inBoth("the strict profile shortens access tokens to ten minutes", async (t, profile) => {
    const { expires_in: lifetime } = await (await startOidc(t, start, profile)).tokens();
    assert.equal(Number(lifetime), profile === "strict" ? 600 : 43_200);
  });

  inBoth("the strict profile lets strangers make neither accounts nor clients", async (t, profile) => {
    const server = await start(t, { config: { profile } });
    const isOpen = profile === "standard";
    const { address } = await new TestBrowser(server).open("/ui/login/register");
    assert.equal(address.startsWith("/ui/login/register"), isOpen);
    await setRegistration(server, "open");
    assert.equal((await register(server, minimal, null)).status, isOpen ? 201 : 401);
    const withToken = { ...minimal, client_name: "Vouched" };
    assert.equal((await register(server, withToken)).status, 201, "administrators register clients in both");
    const body = { clientIdMetadataDocument: { enabled: true, allowAnyUrl: true } };
    assert.equal((await server.rest("PUT", "/v2/policies/security", { body })).status, 200);
    const { settings } = (await server.rest("GET", "/v2/settings/security")).body;
    assert.equal(settings.clientIdMetadataDocument?.allowAnyUrl ?? false, isOpen);
  });

  inBoth("the strict profile demands PKCE of every client and refuses tokens in addresses", async (t, profile) => {
    const server = await startOidc(t, start, profile);
    const hybrid = await server.createClient({
      responseTypes: ["OIDC_RESPONSE_TYPE_CODE", "OIDC_RESPONSE_TYPE_ID_TOKEN"],
      grantTypes: ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE", "OIDC_GRANT_TYPE_IMPLICIT"],
    });
    const errorOf = async ({ clientId, redirectUri }: TestClient, parameters: Record<string, string>) => {
      const sent = { client_id: clientId, redirect_uri: redirectUri, scope: "openid", nonce: "n", ...parameters };
      const url = `${server.origin}/oauth/v2/authorize?${new URLSearchParams(sent)}`;
      const target = new URL((await fetch(url, { redirect: "manual" })).headers.get("location") ?? "", server.origin);
      return new URLSearchParams(target.search || target.hash.slice(1)).get("error");
    };
    const isStrict = profile === "strict";
    assert.equal(await errorOf(server.client, { response_type: "code" }), isStrict ? "invalid_request" : null);
    const challenge = { code_challenge: "a".repeat(43), code_challenge_method: "S256" };
    assert.equal(await errorOf(server.client, { response_type: "code", ...challenge }), null);
    assert.equal(await errorOf(hybrid, { response_type: "id_token" }), isStrict ? "unauthorized_client" : null);
    assert.equal(await errorOf(hybrid, { response_type: "code", ...challenge }), null);
  });

  test("requests that wait while the server is started in the strict profile get no more than it allows", async (t) => {
    const before = await start(t);
    const oidc = await setUpOidc(before);
    const { loginToken, user } = oidc;
    const implicit = await oidc.createClient({
      responseTypes: ["OIDC_RESPONSE_TYPE_ID_TOKEN"],
      grantTypes: ["OIDC_GRANT_TYPE_IMPLICIT"],
    });
    const ask = async ({ clientId, redirectUri }: TestClient, parameters: Record<string, string>) => {
      const sent = { client_id: clientId, redirect_uri: redirectUri, scope: "openid", nonce: "n", ...parameters };
      const url = `${before.origin}/oauth/v2/authorize?${new URLSearchParams(sent)}`;
      const { headers } = await fetch(url, { redirect: "manual" });
      return new URL(headers.get("location") ?? "", before.origin).searchParams.get("authRequest") ?? "";
    };
    const challenge = { code_challenge: "a".repeat(43), code_challenge_method: "S256" };
    const askAll = () =>
      Promise.all([
        ask(oidc.client, { response_type: "code", ...challenge }),
        ask(oidc.client, { response_type: "code" }),
        ask(implicit, { response_type: "id_token" }),
      ]);
    const answerAll = async (server: typeof before, ids: readonly string[]) => {
      const checks = { user: { userId: user.userId }, password: { password: user.password } };
      const { sessionId, sessionToken } = (await server.rest("POST", "/v2/sessions", { body: { checks } })).body;
      const body = { session: { sessionId, sessionToken } };
      const answered = ids.map((id) =>
        server.rest("POST", `/v2/oidc/auth_requests/${id}`, { token: loginToken, body }),
      );
      return (await Promise.all(answered)).map(({ status }) => status);
    };
    assert.deepEqual(await answerAll(before, await askAll()), [200, 200, 200]);
    const waiting = await askAll();
    await before.app.close();
    const { location, ownerToken } = before;
    const strict = await start(t, { location, ownerToken, config: { profile: "strict" } });
    assert.deepEqual(await answerAll(strict, waiting), [200, 403, 403]);
  });

  inBoth("discovery lists what the profile answers", async (t, profile) => {
    const server = await start(t, { config: { profile } });
    const { body } = await server.rest("GET", "/.well-known/openid-configuration", { token: null });
    const isStrict = profile === "strict";
    assert.deepEqual(body.response_types_supported, isStrict ? ["code"] : ["code", "id_token", "id_token token"]);
    assert.equal(body.grant_types_supported.includes("implicit"), !isStrict);
    assert.ok(body.grant_types_supported.includes("authorization_code"));
    assert.deepEqual(body.code_challenge_methods_supported, ["S256"]);
  });

  inBoth("an application of another organization asks before it acts while users are away", async (t, profile) => {
    const server = await start(t, { config: { profile } });
    const client = await addClient(server);
    const stranger = await addPerson(server, {
      username: "stranger",
      organizationId: await addOrganization(server, "Elsewhere"),
    });
    const own = await addPerson(server, { username: "own" });
    const offline = { scope: "openid offline_access" };
    for (const [person, parameters, isAsked] of [
      [stranger, offline, profile === "strict"],
      [stranger, {}, false],
      [own, offline, false],
    ] as const) {
      const visitor = await visit(server, client, parameters);
      const page = await enter(visitor, person);
      assert.equal(page.address.startsWith("/ui/login/consent"), isAsked, page.address);
      const silent = await visitor.browser.open(client.start({ ...parameters, prompt: "none" }).path);
      assert.equal(new URL(silent.address).searchParams.get("error"), isAsked ? "consent_required" : null);
      const back = isAsked ? await visitor.browser.submit(page, { decision: "allow" }) : page;
      assert.ok(isBack(back), back.html);
      assert.equal((await client.exchange(back.address, visitor.codeVerifier)).status, 200);
    }
  });

  inBoth(
    "the strict profile ends tokens with the time of their session, but those for acting offline",
    async (t, profile) => {
      const server = await startOidc(t, start, profile);
      const { userId, password } = server.user;
      const open = async () => {
        const checks = { user: { userId }, password: { password } };
        return (await server.rest("POST", "/v2/sessions", { body: { checks, lifetime: "120s" } })).body;
      };
      const tokenOf = async (scope: string) =>
        (await server.tokens({ scope, session: await open() }))["access_token"] ?? "";
      const tokens = { online: await tokenOf("openid"), offline: await tokenOf("openid offline_access") };
      const isActive = async (token: string) => (await server.introspect(token))["active"];
      server.clock.now += 119_000;
      assert.deepEqual([await isActive(tokens.online), await isActive(tokens.offline)], [true, true]);
      server.clock.now += 1_000;
      assert.deepEqual([await isActive(tokens.online), await isActive(tokens.offline)], [profile !== "strict", true]);
      const { status } = await server.rest("GET", "/oidc/v1/userinfo", { token: tokens.online });
      assert.equal(status, profile === "strict" ? 401 : 200);
    },
  );

  inBoth("the strict profile demands a jti and the issuer as audience of client assertions", async (t, profile) => {
    const server = await startOidc(t, start, profile);
    const clients = [
      await createKeyedClient(server),
      await createKeyedClient(server, { assertionAudience: "OIDC_ASSERTION_AUDIENCE_ISSUER_OR_ENDPOINTS" }),
    ];
    for (const { proof } of clients) {
      const statusOf = async (claims: Record<string, unknown>) =>
        (await server.form("/oauth/v2/introspect", { token: "any", ...proof(claims) })).status;
      const loose = profile === "strict" ? 401 : 200;
      assert.equal(await statusOf({}), 200);
      assert.equal(await statusOf({ jti: undefined }), loose);
      assert.equal(await statusOf({ aud: `${server.origin}/oauth/v2/token` }), loose);
      const now = Math.floor(server.clock.now / 1000);
      assert.equal(await statusOf({ iat: now - 299, exp: now + 60 }), 200);
      assert.equal(await statusOf({ iat: now - 311, exp: now + 60 }), loose, "with ten seconds for clocks that differ");
    }
  });

  inBoth("the strict profile demands the same of assertions of service accounts (Z1)", async (t, profile) => {
    const server = await startOidc(t, start, profile);
    const account = await makeKeyedAccount(server);
    const now = Math.floor(server.clock.now / 1000);
    const statusOf = async (claims: Record<string, unknown>) =>
      (await server.form("/oauth/v2/token", account.grant(claims))).status;
    const loose = profile === "strict" ? 400 : 200;
    assert.equal(await statusOf({}), 200);
    assert.equal(await statusOf({ jti: undefined }), loose);
    assert.equal(await statusOf({ aud: `${server.origin}/oauth/v2/token` }), loose);
    assert.equal(await statusOf({ iat: now - 299, exp: now + 60 }), 200);
    assert.equal(await statusOf({ iat: now - 311, exp: now + 60 }), loose);
    const once = account.grant({});
    const twice = [await server.form("/oauth/v2/token", once), await server.form("/oauth/v2/token", once)];
    assert.deepEqual(
      twice.map(({ status }) => status),
      [200, 400],
    );
  });

  test("an audience that the operator chose holds in the strict profile, but no client's own", async (t) => {
    const endpoint = (origin: string) => ({ aud: `${origin}/oauth/v2/token` });
    const statusesAt = async (assertionAudience: "issuer" | "issuer-or-endpoints") => {
      const server = await start(t, { config: { profile: "strict", assertionAudience } });
      const oidc = { ...server, ...(await setUpOidc(server)) };
      const statuses: number[] = [];
      for (const own of ["UNSPECIFIED", "ISSUER", "ISSUER_OR_ENDPOINTS"]) {
        const { proof } = await createKeyedClient(oidc, { assertionAudience: `OIDC_ASSERTION_AUDIENCE_${own}` });
        const sent = { token: "any", ...proof(endpoint(oidc.origin)) };
        statuses.push((await oidc.form("/oauth/v2/introspect", sent)).status);
      }
      const account = await makeKeyedAccount(oidc);
      statuses.push((await oidc.form("/oauth/v2/token", account.grant(endpoint(oidc.origin)))).status);
      return statuses;
    };
    assert.deepEqual(await statusesAt("issuer-or-endpoints"), [200, 401, 200, 200]);
    assert.deepEqual(await statusesAt("issuer"), [401, 401, 401, 400]);
  });

  inBoth("the strict profile demands two factors of administrators", async (t, profile) => {
    const server = await start(t, { config: { profile } });
    const organizationId = await defaultOrganization(server);
    const client = await addClient(server);
    const owner = await addPerson(server, { username: "instance-owner" });
    const ofOrganization = await addPerson(server, { username: "organization-owner" });
    const plain = await addPerson(server, { username: "plain" });
    await appoint(server, owner, { instance: true }, ["IAM_OWNER"]);
    await appoint(server, ofOrganization, { organizationId }, ["ORG_OWNER"]);
    await changeSettings(server, "login", { secondFactors: [], multiFactors: [] });
    for (const person of [owner, ofOrganization, plain]) {
      const page = await enter(await visit(server, client), person);
      const isDemanded = profile === "strict" && person !== plain;
      assert.equal(isBack(page), !isDemanded, page.address);
      assert.equal(page.address.startsWith("/ui/login/add-factor"), isDemanded, page.address);
      if (isDemanded) assert.match(page.html, /totp/, "the demand can be met");
    }
  });

  test("the strict profile stores nothing: without it everything is as it was", async (t) => {
    const strict = await startOidc(t, start, "strict");
    assert.equal(Number((await strict.tokens())["expires_in"]), 600);
    await strict.app.close();
    const { location, ownerToken } = strict;
    const server = await start(t, { location, ownerToken });
    const instanceId = (await server.app.domain.findInstanceByHost("localhost"))?.instanceId ?? "";
    const { settings: oidc } = await server.app.domain.settings.get("oidc", { instanceId });
    const { settings: login } = await server.app.domain.settings.get("login", { instanceId });
    assert.deepEqual([oidc.accessTokenLifetimeSeconds, login.allowRegister], [43_200, true]);
    const client = await server.app.domain.clients.find(instanceId, strict.client.clientId);
    assert.equal(client?.isPkceRequired, false);
  });
});
