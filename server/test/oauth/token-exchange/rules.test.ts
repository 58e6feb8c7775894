import assert from "node:assert/strict";
import { enginesInTurn } from "../../support/databases/turns.ts";
import { fetch } from "../../support/http/fetch.ts";
import { basicOf } from "../../support/oidc/oidc.ts";
import { claimsOf, type ExchangeServer, exchangeGrant, proofOf, startExchangeServer, typeOf } from "./support.ts";

const systemAudience = "urn:service:iam:org:project:id:service:aud";
const access = (token: string) => ({ subject_token: token, subject_token_type: typeOf.access_token });
const actorAccess = (token: string) => ({ actor_token: token, actor_token_type: typeOf.access_token });
const person = (userId: string) => ({ subject_token: userId, subject_token_type: typeOf.user_id });

const audienceOf = async (server: ExchangeServer, token: string) =>
  [...((await server.introspect(token))["aud"] as string[])].sort();

async function call(server: ExchangeServer, token: string) {
  const path = "/v2/users/me/metadata/search";
  return server.rest("POST", path.replace("me", server.user.userId), { token, body: {} });
}

enginesInTurn((engine, test) => {
  test("audience and scope can only get narrower", async (t) => {
    const server = await startExchangeServer(t, { engine });
    const { projectId } = server;
    await server.trust(server.keyClient);
    const scope = `openid profile email ${systemAudience}`;
    const { access_token: token = "" } = await server.tokensOf(server.user, scope);
    const all = await audienceOf(server, token);
    const exchange = (more: object) => server.exchange({ ...access(token), scope: "openid profile", ...more });

    const same = await exchange({});
    assert.deepEqual(await audienceOf(server, same.body.access_token), all);
    const narrow = await exchange({ audience: projectId });
    assert.deepEqual(await audienceOf(server, narrow.body.access_token), [projectId]);
    assert.equal((await server.introspect(narrow.body.access_token))["scope"], "openid profile");
    assert.equal((await exchange({ audience: "somewhere-else" })).body.error, "invalid_target");
    assert.equal((await exchange({ audience: `${projectId} somewhere-else` })).body.error, "invalid_target");

    // What was given up does not come back, neither by scope nor by audience.
    const again = (more: object) => server.exchange({ ...access(narrow.body.access_token), scope: "openid", ...more });
    assert.equal((await again({})).status, 200);
    assert.equal((await again({ audience: server.keyClient.clientId })).body.error, "invalid_target");
    assert.equal((await again({ scope: "openid email" })).body.error, "invalid_scope");
    assert.equal((await again({ scope: scope })).body.error, "invalid_scope");
    for (const wider of ["openid phone", "openid offline_access", "openid urn:service:iam:org:projects:roles"]) {
      assert.equal((await exchange({ scope: wider })).body.error, "invalid_scope", wider);
    }
    assert.equal((await exchange({ scope: "openid nonsense" })).body.error, "invalid_scope");
  });

  test("several audiences may be given as several parameters (RFC 8693 §2.1), nothing else may repeat", async (t) => {
    const server = await startExchangeServer(t, { engine });
    const client = await server.createClient({
      grantTypes: ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE", "OIDC_GRANT_TYPE_TOKEN_EXCHANGE"],
    });
    const { access_token: token = "" } = await server.tokensOf(server.user, "openid", client);
    const send = async (pairs: string[][]) => {
      const base = { grant_type: exchangeGrant, ...access(token), scope: "openid" };
      const body = new URLSearchParams([...Object.entries(base), ...pairs]);
      const response = await fetch(`${server.origin}/oauth/v2/token`, { method: "POST", headers: client.basic, body });
      return (await response.json()) as Record<string, string>;
    };
    const both = await send([
      ["audience", client.clientId],
      ["audience", server.projectId],
    ]);
    assert.deepEqual(await audienceOf(server, both["access_token"] ?? ""), [client.clientId, server.projectId].sort());
    for (const name of ["scope", "subject_token", "requested_token_type"]) {
      assert.equal(
        (
          await send([
            [name, "x"],
            [name, "x"],
          ])
        )["error"],
        "invalid_request",
        name,
      );
    }
  });

  test("what is missing, unsupported or out of place is refused with its own error", async (t) => {
    const server = await startExchangeServer(t, { engine });
    const { access_token: token = "" } = await server.tokensOf(server.user, "openid");
    const good = { ...access(token), scope: "openid" };
    assert.equal((await server.exchange(good)).status, 200);
    const wrong: [string, object, string][] = [
      ["no subject", { subject_token: undefined }, "invalid_request"],
      ["no subject type", { subject_token_type: undefined }, "invalid_request"],
      ["no scope", { scope: undefined }, "invalid_request"],
      ["an actor without a type", { actor_token: token }, "invalid_request"],
      ["a type without an actor", { actor_token_type: typeOf.access_token }, "invalid_request"],
      ["a resource", { resource: "https://api.example" }, "invalid_target"],
      ["rubbish", { subject_token: "rubbish" }, "invalid_request"],
      ["an id token without openid", { requested_token_type: typeOf.id_token, scope: " " }, "invalid_scope"],
    ];
    for (const [name, change, error] of wrong) {
      const { status, body, headers } = await server.exchange({ ...good, ...change });
      assert.deepEqual([status, body.error], [400, error], name);
      assert.equal(headers.get("cache-control"), "no-store");
    }
    // The client has to be allowed to exchange, and to authenticate.
    const { basic } = await server.createClient();
    const parameters = { grant_type: exchangeGrant, ...good };
    assert.equal((await server.form("/oauth/v2/token", parameters, basic)).body.error, "unauthorized_client");
    const stranger = basicOf(server.client.clientId, "wrong");
    assert.equal((await server.form("/oauth/v2/token", parameters, stranger)).body.error, "invalid_client");
    assert.equal((await server.form("/oauth/v2/token", parameters)).body.error, "invalid_client");
    const { body: discovery } = await server.rest("GET", "/.well-known/openid-configuration");
    assert.ok(discovery.grant_types_supported.includes(exchangeGrant));
  });

  test("a public client exchanges with its id, and clients with an alias word are understood", async (t) => {
    const server = await startExchangeServer(t, { engine });
    const client = await server.createClient({
      applicationType: "OIDC_APP_TYPE_USER_AGENT",
      authMethodType: "OIDC_AUTH_METHOD_TYPE_NONE",
      grantTypes: ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE", "OIDC_GRANT_TYPE_TOKEN_EXCHANGE"],
    });
    const { token } = await server.personalAccessToken("robot");
    const parameters = { grant_type: exchangeGrant, client_id: client.clientId, ...access(token), scope: "openid" };
    const { status, body } = await server.form("/oauth/v2/token", parameters);
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(await audienceOf(server, body.access_token), [client.clientId, server.projectId].sort());
    // A personal access token has a scope of its own, and an exchange adds nothing to it.
    const more = await server.form("/oauth/v2/token", { ...parameters, scope: "openid email" });
    assert.equal(more.body.error, "invalid_scope");

    const { access_token: agent = "" } = await server.tokensOf(server.agent, "openid");
    const aliased = await server.exchange({
      subject_token: server.user.userId,
      subject_token_type: typeOf.user_id.replace("service", "zitadel"),
      ...actorAccess(agent),
      scope: "openid",
    });
    assert.equal(aliased.status, 200, JSON.stringify(aliased.body));
  });

  test("a user id keeps openid, profile and email; rights come from the actor's token only", async (t) => {
    const server = await startExchangeServer(t, { engine });
    const roles = "urn:service:iam:org:projects:roles";
    const { access_token: agent = "" } = await server.tokensOf(server.agent, `openid ${roles}`);
    const exchange = (scope: string) =>
      server.exchange({ ...person(server.user.userId), ...actorAccess(agent), scope });
    const { body } = await exchange("openid profile email phone");
    const userinfo = await server.rest("GET", "/oidc/v1/userinfo", { token: body.access_token });
    assert.deepEqual(
      [userinfo.body.sub, userinfo.body.email, userinfo.body.name],
      [server.user.userId, "ada@example.com", "Ada Lovelace"],
    );
    assert.equal((await exchange(`openid ${roles}`)).status, 200);
    for (const right of ["offline_access", systemAudience, "urn:service:iam:org:project:role:admin"]) {
      assert.equal((await exchange(`openid ${right}`)).body.error, "invalid_scope", right);
    }
    assert.equal((await exchange("openid unheard-of")).body.error, "invalid_scope");
  });

  test("delegated tokens are refused by our own APIs, even after further exchanges", async (t) => {
    const server = await startExchangeServer(t, { engine });
    await server.trust(server.keyClient);
    const { access_token: user = "" } = await server.tokensOf(server.user, `openid ${systemAudience}`);
    assert.equal((await call(server, user)).status, 200);
    // Of the user alone: a narrower token of the user's own, valid for our APIs as well.
    const own = await server.exchange({ ...access(user), scope: `openid ${systemAudience}` });
    assert.equal((await call(server, own.body.access_token)).status, 200);

    const { access_token: agent = "" } = await server.tokensOf(server.agent, "openid");
    for (const type of [typeOf.access_token, typeOf.jwt]) {
      const first = await server.exchange({
        ...access(user),
        ...actorAccess(agent),
        requested_token_type: type,
        scope: `openid ${systemAudience}`,
      });
      const refused = await call(server, first.body.access_token);
      assert.deepEqual([refused.status, refused.body.details?.[0]?.id], [403, "authentication.delegated_token"]);
      // Exchanging without an actor keeps the token delegated.
      const second = await server.exchange({ ...access(first.body.access_token), scope: `openid ${systemAudience}` });
      assert.equal(second.status, 200, JSON.stringify(second.body));
      assert.equal((await call(server, second.body.access_token)).status, 403);
      const idToken = { subject_token: second.body.id_token, subject_token_type: typeOf.id_token };
      const third = await server.exchange({ ...idToken, scope: "openid" });
      // An id token is for the client, so what is exchanged for it is not for our APIs at all.
      assert.equal((await call(server, third.body.access_token)).status, 401);
      assert.deepEqual(claimsOf(third.body.id_token).act, { iss: server.origin, sub: server.agent.userId });
    }
  });

  test("actors nest: the newest outside, those before inside, and not without end (RFC 8693 §4.1)", async (t) => {
    const server = await startExchangeServer(t, { engine });
    const second = await server.person("second");
    await server.appoint(second.userId, ["IAM_ADMIN_IMPERSONATOR"]);
    const [user, agent, other] = await Promise.all(
      [server.user, server.agent, second].map(
        async (who) => (await server.tokensOf(who, "openid"))["access_token"] ?? "",
      ),
    );
    const { origin: iss } = server;
    // The second acts for the agent, and with that for the user.
    const asAgent = await server.exchange({ ...access(agent ?? ""), ...actorAccess(other ?? ""), scope: "openid" });
    const nested = await server.exchange({
      ...access(user ?? ""),
      ...actorAccess(asAgent.body.access_token),
      scope: "openid",
      requested_token_type: typeOf.jwt,
    });
    const act = { iss, sub: server.agent.userId, act: { iss, sub: second.userId } };
    assert.deepEqual(claimsOf(nested.body.access_token).act, act);
    assert.deepEqual((await server.introspect(nested.body.access_token))["act"], act);

    let token: string = nested.body.access_token;
    for (let depth = 3; depth <= 8; depth++) {
      const deeper = await server.exchange({ ...access(token), ...actorAccess(agent ?? ""), scope: "openid" });
      assert.equal(deeper.status, 200, `${depth}`);
      token = deeper.body.access_token;
    }
    const tooDeep = await server.exchange({ ...access(token), ...actorAccess(agent ?? ""), scope: "openid" });
    assert.deepEqual([tooDeep.status, tooDeep.body.error], [400, "invalid_request"]);
  });

  test("nonce, session and time of the sign-in stay; with an actor, how the actor signed in", async (t) => {
    const server = await startExchangeServer(t, { engine });
    const { code, codeVerifier, sessionId } = await server.signIn({
      scope: "openid",
      parameters: { nonce: "n-1" },
      client: server.keyClient,
    });
    const { body: tokens } = await server.form("/oauth/v2/token", {
      grant_type: "authorization_code",
      code,
      code_verifier: codeVerifier,
      redirect_uri: server.keyClient.redirectUri,
      ...proofOf(server, server.keyClient),
    });
    const before = claimsOf(tokens.id_token);
    for (const subject of [
      access(tokens.access_token),
      { subject_token: tokens.id_token, subject_token_type: typeOf.id_token },
    ]) {
      const { body } = await server.exchange({ ...subject, scope: "openid" });
      const { nonce, sid, auth_time, amr } = claimsOf(body.id_token);
      assert.deepEqual([nonce, sid, auth_time, amr], ["n-1", sessionId, before.auth_time, before.amr]);
    }
    server.clock.now += 60_000;
    const { access_token: agent = "" } = await server.tokensOf(server.agent, "openid");
    const acted = await server.exchange({ ...access(tokens.access_token), ...actorAccess(agent), scope: "openid" });
    assert.equal(claimsOf(acted.body.id_token).auth_time, before.auth_time + 60);
  });

  test("nothing outlives what it was exchanged for", async (t) => {
    const server = await startExchangeServer(t, { engine });
    const { access_token: user = "", id_token: idToken = "" } = await server.tokensOf(server.user, "openid");
    server.clock.now += 3_600_000;
    const later = await server.exchange({ ...access(user), scope: "openid" });
    assert.equal(later.body.expires_in, 11 * 3600);
    assert.equal(claimsOf(later.body.id_token).exp, claimsOf(idToken).exp);
    const alone = await server.exchange({ ...access(user), scope: "openid", requested_token_type: typeOf.id_token });
    assert.deepEqual(
      [alone.body.expires_in, claimsOf(alone.body.access_token).exp],
      [11 * 3600, claimsOf(idToken).exp],
    );
    server.clock.now += 11 * 3_600_000;
    for (const subject of [access(user), { subject_token: idToken, subject_token_type: typeOf.id_token }]) {
      assert.equal((await server.exchange({ ...subject, scope: "openid" })).body.error, "invalid_request");
    }
  });

  test("a token is refused that is of another type, not meant for the client, dead, or another user's", async (t) => {
    const server = await startExchangeServer(t, { engine });
    const scope = "openid offline_access";
    const tokens = await server.tokensOf(server.user, scope);
    const { access_token: agent = "" } = await server.tokensOf(server.agent, "openid");
    const { body: jwt } = await server.exchange({
      ...access(tokens["access_token"] ?? ""),
      requested_token_type: typeOf.jwt,
      scope: "openid",
    });
    // A client of another project, with tokens that do not name ours.
    const project = await server.connect("service.project.v2.ProjectService/CreateProject", {
      organizationId: server.organizationId,
      name: "Foreign",
    });
    const { body: made } = await server.connect("service.application.v2.ApplicationService/CreateApplication", {
      projectId: project.body.projectId,
      name: "foreign",
      oidcConfiguration: {
        redirectUris: ["https://app.example/callback"],
        responseTypes: ["OIDC_RESPONSE_TYPE_CODE"],
        grantTypes: ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE"],
        applicationType: "OIDC_APP_TYPE_WEB",
        authMethodType: "OIDC_AUTH_METHOD_TYPE_BASIC",
      },
    });
    const { clientId, clientSecret } = made.oidcConfiguration;
    const foreign = await server.tokensOf(server.user, "openid", {
      ...server.client,
      clientId,
      clientSecret,
      basic: basicOf(clientId, clientSecret),
    });
    const revoked = await server.exchange({ ...access(tokens["access_token"] ?? ""), scope: "openid" });
    const { keyClient } = server;
    await server.form("/oauth/v2/revoke", { token: revoked.body.access_token, ...proofOf(server, keyClient) });
    const now = Math.floor(server.clock.now / 1000);
    const subjects: [string, string, string][] = [
      ["an id token as access token", tokens["id_token"] ?? "", typeOf.access_token],
      ["a refresh token as access token", tokens["refresh_token"] ?? "", typeOf.access_token],
      ["a JWT access token as id token", jwt.access_token, typeOf.id_token],
      ["an opaque token as id token", tokens["access_token"] ?? "", typeOf.id_token],
      ["a foreign access token", foreign["access_token"] ?? "", typeOf.access_token],
      ["a foreign id token", foreign["id_token"] ?? "", typeOf.id_token],
      ["a revoked token", revoked.body.access_token, typeOf.access_token],
      ["a changed signature", `${jwt.access_token.slice(0, -8)}AAAAAAAA`, typeOf.access_token],
      ["our id token as the client's JWT", tokens["id_token"] ?? "", typeOf.jwt],
      ["the client's proof as a subject", proofOf(server, keyClient)["client_assertion"] ?? "", typeOf.jwt],
      ["a JWT for another audience", server.signSubject({ aud: "https://elsewhere.example" }), typeOf.jwt],
      ["a JWT of another issuer", server.signSubject({ iss: server.client.clientId }), typeOf.jwt],
      ["a JWT that is too old", server.signSubject({ iat: now - 3_700 }), typeOf.jwt],
      ["an expired JWT", server.signSubject({ iat: now - 100, exp: now - 60 }), typeOf.jwt],
      ["a JWT without expiry", server.signSubject({ exp: undefined }), typeOf.jwt],
      ["a JWT about nobody", server.signSubject({ sub: undefined }), typeOf.jwt],
      ["a JWT of another kind", server.signSubject({}, { typ: "logout+jwt" }), typeOf.jwt],
      ["a login name as user id", server.user.loginName, typeOf.user_id],
      ["an endless id", "1".repeat(5_000), typeOf.user_id],
    ];
    for (const [what, token, type] of subjects) {
      const { status, body } = await server.exchange({
        subject_token: token,
        subject_token_type: type,
        scope: "openid",
        ...actorAccess(agent),
      });
      assert.deepEqual([status, body.error], [400, "invalid_request"], `${what}: ${JSON.stringify(body)}`);
      if (type === typeOf.jwt || type === typeOf.user_id) continue;
      const asActor = await server.exchange({
        ...access(tokens["access_token"] ?? ""),
        actor_token: token,
        actor_token_type: type,
        scope: "openid",
      });
      assert.deepEqual([asActor.status, asActor.body.error], [400, "invalid_request"], what);
    }
  });

  test("a refreshed exchange keeps audience, format and actor, and ends when the actor may no longer act", async (t) => {
    const server = await startExchangeServer(t, { engine });
    const scope = "openid offline_access profile";
    const { access_token: user = "" } = await server.tokensOf(server.user, scope);
    const { access_token: agent = "" } = await server.tokensOf(server.agent, scope);
    const { clientId } = server.keyClient;
    const { body: first } = await server.exchange({
      ...access(user),
      ...actorAccess(agent),
      scope,
      audience: clientId,
      requested_token_type: typeOf.jwt,
    });
    const refresh = (token: string) =>
      server.form("/oauth/v2/token", {
        grant_type: "refresh_token",
        refresh_token: token,
        ...proofOf(server, server.keyClient),
      });
    const { body: second } = await refresh(first.refresh_token);
    const claims = claimsOf(second.access_token);
    const act = { iss: server.origin, sub: server.agent.userId };
    assert.deepEqual([claims.aud, claims.act, claimsOf(second.id_token).act], [[clientId], act, act]);
    const service = "service.internal_permission.v2.InternalPermissionService";
    const gone = { userId: server.agent.userId, resource: { instance: true } };
    assert.equal((await server.connect(`${service}/DeleteAdministrator`, gone)).status, 200);
    assert.equal((await refresh(second.refresh_token)).body.error, "invalid_grant");
  });

  test("users whom the client's project does not admit are not admitted by exchange either", async (t) => {
    const server = await startExchangeServer(t, { engine });
    const { access_token: user = "" } = await server.tokensOf(server.user, "openid");
    const { access_token: agent = "" } = await server.tokensOf(server.agent, "openid");
    const second = (await server.rest("POST", "/v2/organizations", { body: { name: "Second" } })).body.organizationId;
    const carol = await server.person("carol", second);
    const asCarol = () => server.exchange({ ...person(carol.userId), ...actorAccess(agent), scope: "openid" });
    assert.equal((await asCarol()).status, 200);
    const update = (change: object) =>
      server.connect("service.project.v2.ProjectService/UpdateProject", { projectId: server.projectId, ...change });
    assert.equal((await update({ projectAccessRequired: true })).status, 200);
    assert.equal((await asCarol()).body.error, "invalid_request");
    assert.equal((await server.exchange({ ...access(user), scope: "openid" })).status, 200);
    await update({ projectAccessRequired: false, authorizationRequired: true });
    assert.equal((await server.exchange({ ...access(user), scope: "openid" })).body.error, "invalid_request");
  });
});
