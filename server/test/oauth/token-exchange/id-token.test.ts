import assert from "node:assert/strict";
import { revokeOwnClient } from "../../../src/domain/token/index.ts";
import { signToken } from "../../../src/oauth/own-tokens.ts";
import { enginesInTurn } from "../../support/databases/turns.ts";
import { fetchNonce, makeProof, makeProofKey, type ProofKey } from "../../support/oidc/dpop.ts";
import type { FormAnswer, TestClient } from "../../support/oidc/oidc.ts";
import { changeSettings } from "../../support/servers/change-settings.ts";
import { personCall } from "./person-call.ts";
import {
  claimsOf,
  type ExchangeServer,
  exchangeGrant,
  mayExchange,
  proofOf,
  type Somebody,
  startExchangeServer,
  typeOf,
} from "./support.ts";

type Headers = Readonly<Record<string, string>>;

const idToken = (token: string | undefined) => ({
  subject_token: token ?? "",
  subject_token_type: typeOf.id_token,
  scope: "openid",
});
const access = (token: string | undefined) => ({
  subject_token: token ?? "",
  subject_token_type: typeOf.access_token,
  scope: "openid",
});

/** Exchanges as a client that has a secret, or none. */
function exchangeAs(
  server: ExchangeServer,
  client: TestClient,
  parameters: Readonly<Record<string, string>>,
  headers: Headers = {},
): Promise<FormAnswer> {
  const isPublic = client.clientSecret === "";
  return server.form(
    "/oauth/v2/token",
    { grant_type: exchangeGrant, ...(isPublic && { client_id: client.clientId }), ...parameters },
    { ...(!isPublic && client.basic), ...headers },
  );
}

const publicClient = { applicationType: "OIDC_APP_TYPE_USER_AGENT", authMethodType: "OIDC_AUTH_METHOD_TYPE_NONE" };

async function prove(server: ExchangeServer, key: ProofKey): Promise<{ dpop: string }> {
  return { dpop: await makeProof(server, key, { path: "/oauth/v2/token", nonce: await fetchNonce(server, key) }) };
}

/** Signs in to a client, whose tokens are bound to the key, if there is one. */
async function signInTo(
  server: ExchangeServer,
  client: TestClient,
  scope: string,
  { key, user = server.user }: { readonly key?: ProofKey; readonly user?: Somebody } = {},
): Promise<Record<string, string>> {
  const { code, codeVerifier } = await server.signIn({ client, scope, user });
  const isPublic = client.clientSecret === "";
  const { status, body } = await server.form(
    "/oauth/v2/token",
    {
      grant_type: "authorization_code",
      code,
      code_verifier: codeVerifier,
      redirect_uri: client.redirectUri,
      ...(isPublic && { client_id: client.clientId }),
    },
    { ...(!isPublic && client.basic), ...(key && (await prove(server, key))) },
  );
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

const refused = ({ status, body }: FormAnswer, what: string, error = "invalid_request"): void =>
  assert.deepEqual([status, body.error], [400, error], `${what}: ${JSON.stringify(body)}`);
const granted = ({ status, body }: FormAnswer, what: string): void =>
  assert.equal(status, 200, `${what}: ${JSON.stringify(body)}`);

enginesInTurn((engine, test) => {
  test("an id token is exchanged for no more than was granted with it, and for its client alone (A4, A6)", async (t) => {
    const server = await startExchangeServer(t, { engine });
    const { keyClient } = server;
    const tokens = await server.tokensOf(server.user, "openid email");
    for (const wider of ["profile", "phone", "address", "urn:service:iam:user:metadata", "offline_access"]) {
      const answer = await server.exchange({ ...idToken(tokens["id_token"]), scope: `openid ${wider}` });
      refused(answer, wider, "invalid_scope");
    }
    const good = await server.exchange({ ...idToken(tokens["id_token"]), scope: "openid email" });
    granted(good, "what was granted");
    assert.equal((await server.introspect(good.body.access_token))["active"], false, "not by a sibling");
    const seen = await server.form("/oauth/v2/introspect", {
      token: good.body.access_token,
      ...proofOf(server, keyClient),
    });
    assert.deepEqual(seen.body.aud, [keyClient.clientId]);
    const { projectId } = server;
    refused(
      await server.exchange({ ...idToken(tokens["id_token"]), audience: projectId }),
      "the project",
      "invalid_target",
    );

    // A refresh narrowed the scope, and with it the id token.
    const wide = await signInTo(server, server.client, "openid email profile offline_access");
    const narrowed = await server.form(
      "/oauth/v2/token",
      { grant_type: "refresh_token", refresh_token: wide["refresh_token"] ?? "", scope: "openid email" },
      server.client.basic,
    );
    const ask = (token: string | undefined) => server.exchange({ ...idToken(token), scope: "openid profile" });
    granted(await ask(wide["id_token"]), "the first one");
    refused(await ask(narrowed.body.id_token), "the narrowed one", "invalid_scope");
  });

  test("clients that need consent exchange no id tokens, none of others, and impersonate no user (A4)", async (t) => {
    const server = await startExchangeServer(t, { engine });
    const stranger = await server.createClient({ ...mayExchange, consentRequired: true });
    const own = await signInTo(server, stranger, "openid");
    refused(await exchangeAs(server, stranger, idToken(own["id_token"])), "its own id token");
    const wider = { ...idToken(own["id_token"]), scope: "openid profile email phone address" };
    refused(await exchangeAs(server, stranger, wider), "its own id token for more");
    refused(await server.exchange(idToken(own["id_token"])), "by a trusted sibling");
    granted(await exchangeAs(server, stranger, access(own["access_token"])), "its own access token");

    const trusted = await server.tokensOf(server.user, "openid profile");
    refused(await exchangeAs(server, stranger, idToken(trusted["id_token"])), "the id token of a sibling");
    refused(await exchangeAs(server, stranger, access(trusted["access_token"])), "the access token of a sibling");
    granted(await server.exchange(access(trusted["access_token"])), "the same by its own client");

    const { access_token: agent = "" } = await signInTo(server, stranger, "openid", { user: server.agent });
    const impersonate = {
      subject_token: server.user.userId,
      subject_token_type: typeOf.user_id,
      actor_token_type: typeOf.access_token,
      scope: "openid profile",
    };
    refused(await exchangeAs(server, stranger, { ...impersonate, actor_token: agent }), "an actor");
    const { access_token: known = "" } = await server.tokensOf(server.agent, "openid");
    granted(await server.exchange({ ...impersonate, actor_token: known }), "an actor at a trusted client");
  });

  test("which clients may present an id token: those of its project, public ones with a key, actors never (A4, A6)", async (t) => {
    const server = await startExchangeServer(t, { engine });
    const { keyClient } = server;
    const tokens = await server.tokensOf(server.user, "openid");
    const sibling = await server.createClient(mayExchange);
    granted(await exchangeAs(server, sibling, idToken(tokens["id_token"])), "a sibling");
    // One whose tokens are for itself alone has no siblings.
    const alone = await server.createClient({ ...mayExchange, narrowAudience: true });
    const narrow = await signInTo(server, alone, "openid");
    refused(await exchangeAs(server, sibling, access(narrow["access_token"])), "a sibling, the access token");
    refused(await exchangeAs(server, sibling, idToken(narrow["id_token"])), "a sibling, the id token");
    granted(await exchangeAs(server, alone, idToken(narrow["id_token"])), "the client itself");
    const { projectId } = (
      await server.connect("service.project.v2.ProjectService/CreateProject", {
        organizationId: server.organizationId,
        name: "Foreign",
      })
    ).body;
    const foreign = await server.createClient(mayExchange, projectId);
    const named = await server.tokensOf(server.user, `openid urn:service:iam:org:project:id:${projectId}:aud`);
    refused(await exchangeAs(server, foreign, idToken(named["id_token"])), "a client of another project");

    const open = await server.createClient({ ...mayExchange, ...publicClient });
    const own = await signInTo(server, open, "openid");
    refused(await exchangeAs(server, open, idToken(own["id_token"])), "a public client without a proof");
    const key = await makeProofKey();
    const unbound = await exchangeAs(server, open, idToken(own["id_token"]), await prove(server, key));
    refused(unbound, "a public client with a proof of any key");
    const ofKey = await signInTo(server, open, "openid", { key });
    const bound = await exchangeAs(server, open, idToken(ofKey["id_token"]), await prove(server, key));
    granted(bound, "a public client with a proof of the token's key");
    assert.equal(bound.body.token_type, "DPoP");

    const { id_token: agentId = "", access_token: agent = "" } = await server.tokensOf(server.agent, "openid");
    const asActor = (token: string, type: string) =>
      server.exchange({ ...access(tokens["access_token"]), actor_token: token, actor_token_type: type });
    refused(await asActor(agentId, typeOf.id_token), "an id token as actor token");
    refused(await asActor(agentId, typeOf.access_token), "an id token under another type");
    granted(await asActor(agent, typeOf.access_token), "an access token as actor token");

    // As an older version made them: without a name of their origin.
    const { jti, ...old } = claimsOf(tokens["id_token"] ?? "");
    const { instanceId = "" } = (await server.app.domain.findInstanceByHost("localhost")) ?? {};
    const sign = (claims: object) =>
      signToken(server.app.domain, instanceId, "RS256", { type: "JWT", claims: { ...old, ...claims } });
    granted(await server.exchange(idToken(await sign({ jti }))), "the control");
    const other = claimsOf(own["id_token"] ?? "").jti;
    for (const wrong of [{}, { jti: "x" }, { jti: `${jti}x` }, { jti: other }, { jti, sub: server.agent.userId }]) {
      refused(await server.exchange(idToken(await sign(wrong))), JSON.stringify(wrong));
    }
    assert.equal(claimsOf(tokens["id_token"] ?? "").azp, keyClient.clientId);
  });

  test("an id token of a bound client is exchanged with its key alone, and what comes of it stays bound (A6)", async (t) => {
    const server = await startExchangeServer(t, { engine });
    const [key, thief] = [await makeProofKey(), await makeProofKey()];
    const grantTypes = [...mayExchange.grantTypes, "OIDC_GRANT_TYPE_REFRESH_TOKEN"];
    for (const issuing of [{ ...publicClient }, { dpopBoundAccessTokens: true }]) {
      const bound = await server.createClient({ grantTypes, ...issuing });
      const tokens = await signInTo(server, bound, "openid offline_access", { key });
      const open = await server.createClient({ ...mayExchange, ...publicClient });
      const closed = await server.createClient({ grantTypes });
      for (const subject of [idToken(tokens["id_token"]), access(tokens["access_token"])]) {
        const what = `${JSON.stringify(issuing)} ${subject.subject_token_type}`;
        for (const client of [open, closed]) {
          refused(await exchangeAs(server, client, subject), `${what} without a proof`);
          refused(await exchangeAs(server, client, subject, await prove(server, thief)), `${what} by another key`);
        }
        const wanted = { ...subject, scope: "openid offline_access" };
        const good = await exchangeAs(server, closed, wanted, await prove(server, key));
        granted(good, `${what} by its key`);
        assert.equal(good.body.token_type, "DPoP");
        const refresh = async (headers: Headers) =>
          server.form(
            "/oauth/v2/token",
            { grant_type: "refresh_token", refresh_token: good.body.refresh_token },
            { ...closed.basic, ...headers },
          );
        refused(await refresh({}), `${what} refreshed without a proof`, "invalid_grant");
        refused(await refresh(await prove(server, thief)), `${what} refreshed by another key`, "invalid_grant");
        granted(await refresh(await prove(server, key)), `${what} refreshed`);
        // An id token that is exchanged for one alone has no access token, and stays bound all the same.
        const alone = { ...subject, requested_token_type: typeOf.id_token };
        const second = await exchangeAs(server, closed, alone, await prove(server, key));
        granted(second, `${what} for an id token`);
        refused(await exchangeAs(server, closed, idToken(second.body.access_token)), `${what} in two steps`);
        const last = await exchangeAs(server, closed, idToken(second.body.access_token), await prove(server, key));
        granted(last, `${what} in two steps with the key`);
      }
    }
  });

  test("what ends a family ends its id tokens and what was exchanged for them (A5)", async (t) => {
    const server = await startExchangeServer(t, { engine });
    const { rest, keyClient } = server;
    const scope = "openid offline_access";
    type Given = { tokens: Readonly<Record<string, string>>; userId: string; sessionId: string };
    const revoke = (token = "") => server.form("/oauth/v2/revoke", { token, ...proofOf(server, keyClient) });
    const endings: Record<string, (given: Given) => Promise<unknown>> = {
      "take access away": async ({ userId }) =>
        revokeOwnClient(server.app.domain, await personCall(server, userId), { clientId: keyClient.clientId }),
      "the refresh token is revoked": ({ tokens }) => revoke(tokens["refresh_token"]),
      "the access token is revoked": ({ tokens }) => revoke(tokens["access_token"]),
      "the session ends": ({ sessionId }) => rest("DELETE", `/v2/sessions/${sessionId}`, { body: {} }),
      "the user is deactivated": ({ userId }) => rest("POST", `/v2/users/${userId}/deactivate`, { body: {} }),
      "the user is deleted": ({ userId }) => rest("DELETE", `/v2/users/${userId}`),
    };
    let count = 0;
    for (const [how, end] of Object.entries(endings)) {
      const user = await server.person(`person-${++count}`);
      const [one, two] = [await server.tokensOf(user, scope), await server.tokensOf(user, scope)];
      const sessionId = claimsOf(one["id_token"] ?? "").sid;
      const ask = (token: string | undefined) => server.exchange({ ...idToken(token), scope });
      const first = await ask(one["id_token"]);
      granted(first, how);
      const alone = await server.exchange({ ...idToken(one["id_token"]), requested_token_type: typeOf.id_token });
      const userinfo = async (token: string) => (await rest("GET", "/oidc/v1/userinfo", { token })).status;
      assert.equal(await userinfo(first.body.access_token), 200, how);
      await end({ tokens: one, userId: user.userId, sessionId });
      refused(await ask(one["id_token"]), how);
      refused(await server.exchange(idToken(alone.body.access_token)), `${how}: made of it`);
      refused(await server.exchange(idToken(first.body.id_token)), `${how}: issued beside it`);
      assert.equal(await userinfo(first.body.access_token), 401, how);
      const refresh = { grant_type: "refresh_token", refresh_token: first.body.refresh_token };
      const again = await server.form("/oauth/v2/token", { ...refresh, ...proofOf(server, keyClient) });
      refused(again, how, "invalid_grant");
      // Another sign-in of the same person lives on, where the person does and the client still may.
      const isAlone = /token is revoked|session/.test(how);
      assert.equal((await ask(two["id_token"])).status, isAlone ? 200 : 400, `${how}: the other sign-in`);
    }
  });

  test("an id token gives nothing after the access token that came with it (A5)", async (t) => {
    const server = await startExchangeServer(t, { engine });
    await changeSettings(server, "oidc", { accessTokenLifetimeSeconds: 600 });
    const { id_token: token, refresh_token: refreshToken = "" } = await server.tokensOf(
      server.user,
      "openid offline_access",
    );
    server.clock.now += 300_000;
    const late = await server.exchange(idToken(token));
    granted(late, "in time");
    assert.ok(late.body.expires_in <= 300, `${late.body.expires_in}`);
    server.clock.now += 301_000;
    refused(await server.exchange(idToken(token)), "too late");
    const form = { grant_type: "refresh_token", refresh_token: refreshToken, ...proofOf(server, server.keyClient) };
    const { body } = await server.form("/oauth/v2/token", form);
    granted(await server.exchange(idToken(body.id_token)), "a fresh one");
  });
});
