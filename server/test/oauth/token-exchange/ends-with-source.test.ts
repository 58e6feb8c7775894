import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../../src/database/index.ts";
import { enginesInTurn } from "../../support/databases/turns.ts";
import { changeSettings } from "../../support/servers/change-settings.ts";
import { eachTopology } from "../../support/servers/nodes.ts";
import {
  claimsOf,
  type ExchangeServer,
  exchangeGrant,
  extend,
  proofOf,
  startExchangeServer,
  typeOf,
} from "./support.ts";

const access = (token: string | undefined) => ({
  subject_token: token ?? "",
  subject_token_type: typeOf.access_token,
});
const actorAccess = (token: string | undefined) => ({
  actor_token: token ?? "",
  actor_token_type: typeOf.access_token,
});
const scope = "openid offline_access";
const systemAudience = "urn:service:iam:org:project:id:service:aud";

const revoke = async (server: ExchangeServer, token: string | undefined) => {
  const { status } = await server.form("/oauth/v2/revoke", {
    token: token ?? "",
    ...proofOf(server, server.keyClient),
  });
  assert.equal(status, 200);
};

eachTopology((start, name) => {
  test(`revoking an access token ends what was exchanged from it, step by step, on every node (A19) (${name})`, async (t) => {
    const { first, other } = await start(t);
    const server = await extend(first);
    const elsewhere = (form: Readonly<Record<string, string>>) =>
      other.form("/oauth/v2/token", { ...proofOf(server, server.keyClient), ...form });
    const exchange = async (token: string, more: Readonly<Record<string, string>> = {}) => {
      const answer = await elsewhere({ grant_type: exchangeGrant, ...access(token), scope, ...more });
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      return answer.body;
    };
    const isActive = async (token: string) =>
      (await other.form("/oauth/v2/introspect", { token }, server.client.basic)).body.active;
    const refresh = (token: string) => elsewhere({ grant_type: "refresh_token", refresh_token: token });

    const own = await server.tokensOf(server.user, scope);
    const refreshed = (await refresh(own["refresh_token"] ?? "")).body;
    const one = await exchange(own["access_token"] ?? "");
    const two = await exchange(one.access_token, { requested_token_type: typeOf.jwt });
    const renewed = (await refresh(two.refresh_token)).body;
    const three = await exchange(renewed.access_token);
    const derived = [one, two, renewed, three];
    for (const { access_token: token } of derived) assert.equal(await isActive(token), true);

    await revoke(server, own["access_token"]);
    for (const [index, { access_token: token }] of derived.entries()) {
      assert.equal(await isActive(token), false, `${index}`);
    }
    for (const token of [one, renewed, three]) {
      assert.equal((await refresh(token.refresh_token)).body.error, "invalid_grant");
    }
    const again = await elsewhere({ grant_type: exchangeGrant, ...access(three.access_token), scope });
    assert.equal(again.body.error, "invalid_request");
    // The family itself lives, and what comes of its other tokens.
    assert.equal(await isActive(refreshed.access_token), true);
    const sibling = await exchange(refreshed.access_token);
    assert.equal(await isActive(sibling.access_token), true);

    // In the middle of a chain: what is above stays, what is below goes.
    const middle = await exchange(sibling.access_token);
    const below = await exchange(middle.access_token);
    await revoke(server, middle.access_token);
    assert.deepEqual(
      [await isActive(sibling.access_token), await isActive(middle.access_token), await isActive(below.access_token)],
      [true, false, false],
    );
  });
});

enginesInTurn((engine, test, both) => {
  test("what was exchanged never outlives the token, refreshed or not (A19)", async (t) => {
    const server = await startExchangeServer(t, { engine });
    await changeSettings(server, "oidc", { accessTokenLifetimeSeconds: 600 });
    const { access_token: token } = await server.tokensOf(server.user, scope);
    server.clock.now += 100_000;
    const { body: first } = await server.exchange({ ...access(token), scope });
    assert.ok(first.expires_in <= 500, `${first.expires_in}`);
    server.clock.now += 100_000;
    const refresh = (refreshToken: string) =>
      server.form("/oauth/v2/token", {
        grant_type: "refresh_token",
        refresh_token: refreshToken,
        ...proofOf(server, server.keyClient),
      });
    const { body: second } = await refresh(first.refresh_token);
    assert.ok(second.expires_in <= 400, `${second.expires_in}`);
    assert.ok(claimsOf(second.id_token).exp <= Math.floor(server.clock.now / 1000) + 400);
    const { body: third } = await server.exchange({ ...access(second.access_token), scope });
    assert.ok(third.expires_in <= 400, `${third.expires_in}`);
    server.clock.now += 401_000;
    for (const { refresh_token: late } of [second, third]) {
      assert.equal((await refresh(late)).body.error, "invalid_grant");
    }
    assert.equal((await server.introspect(third.access_token))["active"], false);
  });

  test("the length of a chain of exchanges is limited", async (t) => {
    const server = await startExchangeServer(t, { engine });
    let { access_token: token } = await server.tokensOf(server.user, "openid");
    let steps = 0;
    for (; steps < 100; steps++) {
      const { status, body } = await server.exchange({ ...access(token), scope: "openid" });
      if (status !== 200) {
        assert.equal(body.error, "invalid_request");
        break;
      }
      token = body.access_token;
    }
    assert.ok(steps >= 20 && steps < 40, `${steps}`);
  });

  both("a delegated token ends at every endpoint when its actor may no longer act (A8)", async (t) => {
    const server = await startExchangeServer(t, { engine });
    const { rest } = server;
    const permissions = "service.internal_permission.v2.InternalPermissionService";
    type Given = { readonly actorId: string; readonly tokens: Readonly<Record<string, string>> };
    const endings: Record<string, (given: Given) => Promise<unknown>> = {
      "the actor's role is taken": ({ actorId }) =>
        server.connect(`${permissions}/DeleteAdministrator`, { userId: actorId, resource: { instance: true } }),
      "the user becomes an administrator": () => server.appoint(server.user.userId, ["IAM_OWNER"]),
      "impersonation is turned off": () => server.allowImpersonation(false),
      "the actor is deactivated": ({ actorId }) => rest("POST", `/v2/users/${actorId}/deactivate`, { body: {} }),
      "the actor is locked": ({ actorId }) => rest("POST", `/v2/users/${actorId}/lock`, { body: {} }),
      "the actor's access token is revoked": ({ tokens }) => revoke(server, tokens["access_token"]),
      "the actor's family is revoked": ({ tokens }) => revoke(server, tokens["refresh_token"]),
      "the actor's session ends": ({ tokens }) =>
        rest("DELETE", `/v2/sessions/${claimsOf(tokens["id_token"] ?? "").sid}`, { body: {} }),
    };
    let count = 0;
    for (const [how, end] of Object.entries(endings)) {
      const actor = await server.person(`actor-${++count}`);
      await server.appoint(actor.userId, ["IAM_END_USER_IMPERSONATOR"]);
      const tokens = await server.tokensOf(actor, scope);
      const { access_token: user } = await server.tokensOf(server.user, `${scope} ${systemAudience}`);
      const wanted = { ...access(user), ...actorAccess(tokens["access_token"]), scope: `${scope} ${systemAudience}` };
      const { body: first, status } = await server.exchange(wanted);
      assert.equal(status, 200, `${how}: ${JSON.stringify(first)}`);
      // Exchanged again, without an actor and by another one: the first one stays behind it.
      const { body: second } = await server.exchange({ ...access(first.access_token), scope });
      const { access_token: agent } = await server.tokensOf(server.agent, "openid");
      const { body: third } = await server.exchange({ ...access(first.access_token), ...actorAccess(agent), scope });
      const uses = async () => ({
        introspection: await Promise.all(
          [first, second, third].map(async ({ access_token: one }) => (await server.introspect(one))["active"]),
        ),
        userinfo: (await rest("GET", "/oidc/v1/userinfo", { token: first.access_token })).status,
        // Delegated tokens are refused by our own APIs while they live: 403, and 401 when they do not.
        api: (await rest("GET", `/v2/users/${server.user.userId}`, { token: first.access_token })).status,
        exchange: (await server.exchange({ ...access(first.access_token), scope: "openid" })).status,
        ofIdToken: (
          await server.exchange({
            subject_token: first.id_token,
            subject_token_type: typeOf.id_token,
            scope: "openid",
          })
        ).status,
      });
      const alive = { introspection: [true, true, true], userinfo: 200, api: 403, exchange: 200, ofIdToken: 200 };
      assert.deepEqual(await uses(), alive, how);
      await end({ actorId: actor.userId, tokens });
      const dead = { introspection: [false, false, false], userinfo: 401, api: 401, exchange: 400, ofIdToken: 400 };
      assert.deepEqual(await uses(), dead, how);
      for (const { refresh_token: token } of [first, second, third]) {
        const form = { grant_type: "refresh_token", refresh_token: token, ...proofOf(server, server.keyClient) };
        assert.equal((await server.form("/oauth/v2/token", form)).body.error, "invalid_grant", how);
      }
      // The user's own token is none of the actor's business.
      assert.equal((await server.introspect(user ?? ""))["active"], true, how);
      if (how.startsWith("the user becomes")) {
        const gone = { userId: server.user.userId, resource: { instance: true } };
        await server.connect(`${permissions}/DeleteAdministrator`, gone);
      }
      await server.allowImpersonation(true);
    }
  });

  both("what an older version exchanged still ends with the family that it depends on (A19)", async (t) => {
    const server = await startExchangeServer(t, { engine });
    const own = await server.tokensOf(server.user, scope);
    const { body } = await server.exchange({ ...access(own["access_token"]), scope });
    const { instanceId = "" } = (await server.app.domain.findInstanceByHost("localhost")) ?? {};
    await server.app.domain.database.touch(
      { instanceId, requestId: "r", now: server.clock.now, language: "en" },
      (tx) => tx.run(sql`delete from token_family_sources where kind = 'access_token'`),
    );
    assert.equal((await server.introspect(body.access_token))["active"], true);
    await revoke(server, own["refresh_token"]);
    assert.equal((await server.introspect(body.access_token))["active"], false);
  });
});
