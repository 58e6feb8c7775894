import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { type TestContext, test } from "node:test";
import { sql } from "../../../src/database/index.ts";
import { type Cluster, eachTopology, type ServerNode } from "../../support/servers/nodes.ts";
import { type ExchangeServer, exchangeGrant, extend, proofOf, type Somebody, typeOf } from "./support.ts";

const access = (token: string) => ({ subject_token: token, subject_token_type: typeOf.access_token });
const actorAccess = (token: string) => ({ actor_token: token, actor_token_type: typeOf.access_token });
const person = (userId: string) => ({ subject_token: userId, subject_token_type: typeOf.user_id });

interface Nodes {
  readonly server: ExchangeServer;
  readonly other: ServerNode;
  /** Exchanges on the node that shares least with the first. */
  elsewhere(parameters: Readonly<Record<string, string>>): ReturnType<ServerNode["form"]>;
  isActive(token: string): Promise<unknown>;
}

async function nodesOf(t: TestContext, start: (t: TestContext) => Promise<Cluster>): Promise<Nodes> {
  const { first, other } = await start(t);
  const server = await extend(first);
  return {
    server,
    other,
    elsewhere: (parameters) =>
      other.form("/oauth/v2/token", { grant_type: exchangeGrant, ...proofOf(server, server.keyClient), ...parameters }),
    isActive: async (token) => (await other.form("/oauth/v2/introspect", { token }, server.client.basic)).body.active,
  };
}

async function secondOrganization({ rest }: ExchangeServer): Promise<string> {
  return (await rest("POST", "/v2/organizations", { body: { name: "Second" } })).body.organizationId;
}

eachTopology((start, name) => {
  test(`no user acts for another unless the instance allows it; turning it off ends it at once (${name})`, async (t) => {
    const { server, elsewhere, isActive, other } = await nodesOf(t, start);
    const scope = "openid offline_access";
    const { access_token: user = "" } = await server.tokensOf(server.user, scope);
    const { access_token: agent = "" } = await server.tokensOf(server.agent, scope);
    const ask = () => elsewhere({ ...access(user), ...actorAccess(agent), scope });
    const { body } = await ask();
    assert.equal(await isActive(body.access_token), true);

    await server.allowImpersonation(false);
    const refused = await ask();
    assert.deepEqual([refused.status, refused.body.error], [400, "invalid_request"]);
    assert.equal(await isActive(body.access_token), false);
    const userinfo = await other.rest("GET", "/oidc/v1/userinfo", { token: body.access_token });
    assert.equal(userinfo.status, 401);
    const again = await elsewhere({ ...access(body.access_token), scope: "openid" });
    assert.equal(again.body.error, "invalid_request");
    const byId = { subject_token: body.id_token, subject_token_type: typeOf.id_token, scope: "openid" };
    assert.equal((await elsewhere(byId)).body.error, "invalid_request");
    // Without an actor it is not an impersonation, and continues.
    assert.equal((await elsewhere({ ...access(user), scope: "openid" })).status, 200);
    const refresh = { grant_type: "refresh_token", refresh_token: body.refresh_token };
    const refreshed = await elsewhere({ ...refresh });
    assert.equal(refreshed.body.error, "invalid_grant");
    await server.allowImpersonation(true);
    assert.equal(await isActive(body.access_token), true);
  });

  test(`an actor needs the permission where the subject belongs, and more for administrators (${name})`, async (t) => {
    const { server, elsewhere } = await nodesOf(t, start);
    const { organizationId } = server;
    const elsewhereId = await secondOrganization(server);
    const people = {
      ofFirst: server.user.userId,
      ofSecond: (await server.person("carol", elsewhereId)).userId,
      organizationOwner: (await server.person("owner")).userId,
      instanceOwner: (await server.person("root")).userId,
      nobody: "999999999999999999",
    };
    await server.appoint(people.organizationOwner, ["ORG_OWNER"], { organizationId });
    await server.appoint(people.instanceOwner, ["IAM_OWNER"]);
    const all = Object.keys(people) as (keyof typeof people)[];
    const organization = { organizationId };
    const cases: [string, string[], object | undefined, (keyof typeof people)[]][] = [
      ["without", [], undefined, []],
      ["owns", ["IAM_OWNER"], { instance: true }, []],
      ["end-users", ["IAM_END_USER_IMPERSONATOR"], { instance: true }, ["ofFirst", "ofSecond"]],
      ["admins", ["IAM_ADMIN_IMPERSONATOR"], { instance: true }, all.filter((who) => who !== "nobody")],
      ["org-end-users", ["ORG_END_USER_IMPERSONATOR"], organization, ["ofFirst"]],
      // The owner of the instance is out of reach for a caller who may act for administrators of one organization.
      ["org-admins", ["ORG_ADMIN_IMPERSONATOR"], organization, ["ofFirst", "organizationOwner"]],
    ];
    const descriptions = new Set<string>();
    for (const [username, roles, resource, allowed] of cases) {
      const actor = await server.person(username);
      if (roles.length > 0) await server.appoint(actor.userId, roles, resource);
      const { access_token: token = "" } = await server.tokensOf(actor, "openid");
      for (const who of all) {
        const { status, body } = await elsewhere({ ...person(people[who]), ...actorAccess(token), scope: "openid" });
        assert.equal(status === 200, allowed.includes(who), `${username} acts for ${who}: ${JSON.stringify(body)}`);
        if (status !== 200) descriptions.add(`${status} ${body.error} ${body.error_description}`);
      }
    }
    // An unknown user cannot be told from a user who is out of reach.
    assert.equal(descriptions.size, 1, [...descriptions].join("\n"));
  });

  test(`may_act says who may act, and every member of it counts (${name})`, async (t) => {
    const { server, elsewhere } = await nodesOf(t, start);
    const { access_token: agent = "" } = await server.tokensOf(server.agent, "openid");
    const statusOf = async (mayAct: unknown) => {
      const subject = server.signSubject({ may_act: mayAct });
      const { status, body } = await elsewhere({
        subject_token: subject,
        subject_token_type: typeOf.jwt,
        ...actorAccess(agent),
        scope: "openid",
      });
      return status === 200 ? "ok" : `${status} ${body.error}`;
    };
    const { userId: sub } = server.agent;
    const { clientId: client_id } = server.keyClient;
    for (const good of [undefined, { sub }, { sub, iss: server.origin }, { sub, client_id }]) {
      assert.equal(await statusOf(good), "ok", JSON.stringify(good));
    }
    const bad: unknown[] = [
      { sub: server.user.userId },
      { sub, iss: "https://elsewhere.example" },
      { sub, client_id: server.client.clientId },
      { sub, unheard_of: "x" },
      { sub: [sub] },
      { constructor: "x" },
      {},
      [],
      null,
      sub,
      true,
    ];
    for (const one of bad) assert.equal(await statusOf(one), "400 invalid_request", JSON.stringify(one));
  });

  test(`what was exchanged ends with what it was exchanged from, at once on every node (${name})`, async (t) => {
    const { server, elsewhere, isActive } = await nodesOf(t, start);
    const { rest } = server;
    const scope = "openid offline_access";
    const end: Record<string, (given: Given) => Promise<unknown>> = {
      "the subject's session is ended": ({ session: { sessionId } }) =>
        rest("DELETE", `/v2/sessions/${sessionId}`, { body: {} }),
      "the subject is deactivated": ({ user }) => rest("POST", `/v2/users/${user.userId}/deactivate`, { body: {} }),
      "the subject is deleted": ({ user }) => rest("DELETE", `/v2/users/${user.userId}`),
      "the subject's family is revoked": ({ refreshToken }) =>
        server.form("/oauth/v2/revoke", { token: refreshToken, ...proofOf(server, server.keyClient) }),
      "the actor's token is taken away": ({ actor }) =>
        rest("DELETE", `/v2/users/${actor.userId}/pats/${actor.tokenId}`),
      "the actor is deactivated": ({ actor }) => rest("POST", `/v2/users/${actor.userId}/deactivate`, { body: {} }),
      "the actor is deleted": ({ actor }) => rest("DELETE", `/v2/users/${actor.userId}`),
    };
    for (const [how, finish] of Object.entries(end)) {
      const given = await give(server, randomUUID().slice(0, 8));
      const parameters = { ...access(given.token), ...actorAccess(given.actor.token), scope };
      const first = await elsewhere(parameters);
      assert.equal(first.status, 200, JSON.stringify(first.body));
      const jwt = await elsewhere({ ...parameters, requested_token_type: typeOf.jwt });
      // A token made from it without an actor depends on the same.
      const second = await elsewhere({ ...access(first.body.access_token), scope });
      const byId = await elsewhere({
        subject_token: first.body.id_token,
        subject_token_type: typeOf.id_token,
        scope: "openid",
      });
      const tokens = [first, jwt, second].map(({ body }) => body.access_token);
      for (const token of tokens) assert.equal(await isActive(token), true, how);
      assert.equal(byId.status, 200, JSON.stringify(byId.body));
      await finish(given);
      for (const token of tokens) assert.equal(await isActive(token), false, how);
      const refresh = { grant_type: "refresh_token", refresh_token: first.body.refresh_token };
      assert.equal((await elsewhere(refresh)).body.error, "invalid_grant", how);
      const third = await elsewhere(parameters);
      assert.deepEqual([third.status, third.body.error], [400, "invalid_request"], how);
    }
  });

  test(`an exchange leaves events: client, subject and every actor (${name})`, async (t) => {
    const { server, elsewhere } = await nodesOf(t, start);
    const { access_token: user = "" } = await server.tokensOf(server.user, "openid profile");
    const { access_token: agent = "" } = await server.tokensOf(server.agent, "openid");
    await elsewhere({ ...access(user), ...actorAccess(agent), scope: "openid", requested_token_type: typeOf.id_token });
    const rows = await server.app.domain.database.read.all<{ type: string; aggregateId: string; payload: string }>(
      sql`select type, aggregate_id as "aggregateId", payload from events
        where type in ('token_family.exchanged', 'user.impersonated') order by type`,
    );
    const [exchanged, impersonated] = rows.map((row) => ({ ...row, payload: JSON.parse(row.payload) }));
    const act = { iss: server.origin, sub: server.agent.userId };
    const { clientId, applicationId } = server.keyClient;
    const { scope, userId, actor, subjectTokenType, actorTokenType, requestedTokenType, subjectClientId, audience } =
      exchanged?.payload ?? {};
    assert.deepEqual(
      [
        scope,
        userId,
        actor,
        subjectTokenType,
        actorTokenType,
        requestedTokenType,
        subjectClientId,
        exchanged?.payload.clientId,
      ],
      ["openid", server.user.userId, act, "access_token", "access_token", "id_token", clientId, clientId],
    );
    assert.ok(audience.includes(clientId));
    assert.equal(impersonated?.aggregateId, server.user.userId);
    assert.deepEqual(impersonated?.payload, { clientId, applicationId, actor: act });
    assert.equal(JSON.stringify(rows).includes(user), false);
  });
});

interface Given {
  readonly user: Somebody;
  readonly token: string;
  readonly refreshToken: string;
  readonly session: { readonly sessionId: string };
  readonly actor: { readonly userId: string; readonly token: string; readonly tokenId: string };
}

/** Signs a user in, and makes a service account that may act for users. */
async function give(server: ExchangeServer, suffix: string): Promise<Given> {
  const user = await server.person(`user-${suffix}`);
  const { userId, password } = user;
  const checks = { user: { userId }, password: { password } };
  const { body: session } = await server.rest("POST", "/v2/sessions", { body: { checks } });
  const { keyClient: client } = server;
  const { code, codeVerifier } = await server.signIn({ user, session, client, scope: "openid offline_access" });
  const { body } = await server.form("/oauth/v2/token", {
    grant_type: "authorization_code",
    code,
    code_verifier: codeVerifier,
    redirect_uri: client.redirectUri,
    ...proofOf(server, client),
  });
  const actor = await server.personalAccessToken(`robot-${suffix}`);
  await server.appoint(actor.userId, ["IAM_END_USER_IMPERSONATOR"]);
  return { user, token: body.access_token, refreshToken: body.refresh_token, session, actor };
}
