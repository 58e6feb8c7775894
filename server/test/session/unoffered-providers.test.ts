import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../src/database/index.ts";
import { slugOf } from "../factor/support.ts";
import { provenAttempt } from "../identity-provider/attempts.ts";
import { addStaff, bodyAt, createTrust } from "../identity-provider/trusted.ts";
import { requestIn } from "../login/support/sign-in.ts";
import { fetch } from "../support/http/fetch.ts";
import { startTestProvider } from "../support/identity-provider/test-provider.ts";
import { type OidcSetup, setUpOidc } from "../support/oidc/oidc.ts";
import { testCall } from "../support/operations/call.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { eachServer } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";
import { startOf } from "../support/sign-in/sign-in-client.ts";

interface Held {
  readonly sessionId: string;
  readonly sessionToken: string;
}

const moment = 10_000;
const answered = { callback: "answered", ownApi: 200, setUp: "done" };
const refused = {
  callback: "auth_request.session_insufficient",
  ownApi: 401,
  setUp: "user.login_client_unproven",
};

/** What a custom login makes of sessions. */
function customLogin(server: TestServer, { client, loginToken: token }: OidcSetup) {
  const { clientId, redirectUri } = client;
  const request = async (): Promise<string> => {
    const { path } = startOf(clientId, redirectUri)();
    const visited = await fetch(server.origin + path, { redirect: "manual" });
    return requestIn(visited.headers.get("location") ?? "");
  };
  return {
    /** Opens a session of a user. */
    open: async (userId: string, checks: object): Promise<Held> => {
      const body = { checks: { user: { userId }, ...checks }, lifetime: "864000s" };
      const { status, body: made } = await server.rest("POST", "/v2/sessions", { token, body });
      assert.ok(status < 300, JSON.stringify(made));
      return { sessionId: made.sessionId, sessionToken: made.sessionToken };
    },
    /** Adds checks to a session. */
    add: async ({ sessionId, sessionToken }: Held, checks: object): Promise<Held> => {
      const body = { sessionToken, checks };
      const { status, body: made } = await server.rest("PATCH", `/v2/sessions/${sessionId}`, { token, body });
      assert.equal(status, 200, JSON.stringify(made));
      return { sessionId, sessionToken: made.sessionToken };
    },
    /** What the session is good for: for an application, for our own API, and for the login to act for its user. */
    worth: async (userId: string, { sessionId, sessionToken }: Held) => {
      const body = { session: { sessionId, sessionToken } };
      const answer = await server.rest("POST", `/v2/oidc/auth_requests/${await request()}`, { token, body });
      const own = await server.rest("GET", "/auth/v1/users/me", { token: sessionToken });
      const setUp = await server.rest("POST", `/v2/users/${userId}/totp`, { token, body: {} });
      return {
        callback: answer.status === 200 ? "answered" : slugOf(answer),
        ownApi: own.status,
        setUp: slugOf(setUp),
      };
    },
  };
}

/** Makes a session what it was before the provider was kept beside the check. */
async function forgetProvider(server: TestServer, { sessionId }: Held): Promise<void> {
  const { database, findInstanceByHost } = server.app.domain;
  const instanceId = (await findInstanceByHost("localhost"))?.instanceId ?? "";
  await database.touch(testCall({ instanceId, now: server.clock.now }), async (tx) => {
    const row = await tx.maybe<{ factors: string }>(sql`select factors from sessions
      where instance_id = ${instanceId} and session_id = ${sessionId}`);
    const { identityProviderId, ...factors } = JSON.parse(row?.factors ?? "{}");
    assert.ok(identityProviderId !== undefined);
    await tx.run(sql`update sessions set factors = ${JSON.stringify(factors)}
      where instance_id = ${instanceId} and session_id = ${sessionId}`);
  });
}

eachServer((start) => {
  test("a custom login signs users in by the providers that their login settings offer, and by no others", async (t) => {
    const server = await start(t);
    const login = customLogin(server, await setUpOidc(server));
    const provider = await startTestProvider(t, () => server.clock.now);
    const trust = createTrust(server);
    const ofInstance = await trust.addTo("", undefined, bodyAt(provider));
    const bank = await addStaff(server, "bank");
    const { organizationId } = bank;
    const ofBank = await trust.addTo(organizationId, bank.owner.token, bodyAt(provider));
    const { userId, password } = bank.plain;
    assert.equal(await trust.link(userId, ofInstance, "v"), "200");
    assert.equal(await trust.link(userId, ofBank, "v", bank.clerk.token), "200");
    provider.user = { sub: "v", email: "x@provider.example", email_verified: true };
    const answerOf = async (idpId: string) => {
      server.clock.now += moment;
      return { idpIntent: await provenAttempt(server, provider, idpId) };
    };
    const open = async (idpId: string): Promise<Held> => login.open(userId, await answerOf(idpId));
    const unusable = /identity_intent.provider_unusable/;
    const refuseSession = (idpId: string) => assert.rejects(open(idpId), unusable);
    const worth = (held: Held) => login.worth(userId, held);
    const offer = (ids: readonly string[], allowExternalIdp = true) =>
      changeSettings(server, "login", { allowExternalIdp, identityProviderIds: [...ids] }, organizationId);
    const turn = async (idpId: string, to: "_deactivate" | "_reactivate") => {
      const ofOrganization = { token: bank.owner.token, headers: { "x-zitadel-orgid": organizationId } };
      const isOwn = idpId === ofBank;
      const path = `${isOwn ? "/management" : "/admin"}/v1/idps/${idpId}/${to}`;
      const made = await server.rest("POST", path, { body: {}, ...(isOwn && ofOrganization) });
      assert.equal(made.status, 200, JSON.stringify(made.body));
    };

    await t.test("before, while and after the organization takes them off", async () => {
      for (const idpId of [ofInstance, ofBank]) {
        const other = idpId === ofInstance ? ofBank : ofInstance;
        await offer([ofInstance, ofBank]);
        const former = await open(idpId);
        assert.deepEqual(await worth(former), answered);
        await offer([other]);
        assert.deepEqual(await worth(former), refused, "the session from before");
        server.clock.now += 15 * 60_000;
        await refuseSession(idpId);
        await assert.rejects(async () => login.add(await open(other), await answerOf(idpId)), unusable);
        assert.deepEqual(await worth(await open(other)), answered, "the provider that is offered");
        await offer([ofInstance, ofBank]);
        assert.equal((await worth(former)).callback, "answered", "offered again");
        server.clock.now += 15 * 60_000;
      }
    });

    await t.test("where external sign-in is not allowed", async () => {
      const held = await open(ofBank);
      await offer([ofInstance, ofBank], false);
      assert.deepEqual(await worth(held), refused);
      await refuseSession(ofBank);
      await offer([ofInstance, ofBank]);
    });

    await t.test("while the provider is inactive", async () => {
      for (const idpId of [ofInstance, ofBank]) {
        server.clock.now += 15 * 60_000;
        const held = await open(idpId);
        await turn(idpId, "_deactivate");
        assert.deepEqual(await worth(held), refused);
        assert.deepEqual(await worth(await open(idpId === ofInstance ? ofBank : ofInstance)), answered);
        await turn(idpId, "_reactivate");
        assert.deepEqual(await worth(held), answered);
      }
    });

    await t.test("a password and another provider in the same session", async () => {
      server.clock.now += 15 * 60_000;
      const byBoth = await login.add(await open(ofInstance), { password: { password } });
      const moved = await open(ofInstance);
      await offer([ofBank]);
      server.clock.now += 15 * 60_000;
      assert.equal((await worth(byBoth)).callback, "answered");
      assert.deepEqual(await worth(moved), refused);
      assert.deepEqual(await worth(await login.add(moved, await answerOf(ofBank))), answered);
      const held = await login.open(userId, { password: { password } });
      await offer([]);
      assert.equal((await worth(held)).callback, "answered", "a session without any provider");
    });

    await t.test("two providers, one after the other in the same session", async () => {
      for (const [former, latter] of [
        [ofInstance, ofBank],
        [ofBank, ofInstance],
      ] as const) {
        await offer([ofInstance, ofBank]);
        const held = await login.add(await open(former), await answerOf(latter));
        const unknown = await login.add(await open(former), await answerOf(latter));
        await forgetProvider(server, unknown);
        assert.equal((await worth(held)).callback, "answered");
        assert.equal((await worth(unknown)).callback, "answered");
        await offer([former]);
        server.clock.now += 15 * 60_000;
        assert.deepEqual(await worth(held), refused, "the latter's word is what was checked");
        assert.deepEqual(await worth(unknown), refused);
        await offer([latter]);
        server.clock.now += 15 * 60_000;
        assert.deepEqual(await worth(unknown), refused, "the word could be the former's");
        assert.equal((await worth(held)).callback, "answered", "the former's counts for nothing any more");
        assert.deepEqual(await worth(await login.add(unknown, await answerOf(latter))), answered, "proven anew");
      }
    });

    await t.test("a session from before its provider was kept", async () => {
      await offer([ofInstance, ofBank]);
      const held = await open(ofInstance);
      await forgetProvider(server, held);
      await offer([ofBank]);
      server.clock.now += 15 * 60_000;
      assert.deepEqual(await worth(held), refused);
      await offer([ofInstance]);
      assert.equal((await worth(held)).callback, "answered");
    });

    await t.test("by the settings of the instance where the organization has none", async () => {
      server.clock.now += 15 * 60_000;
      const reset = await server.rest("DELETE", "/management/v1/policies/login", {
        token: bank.owner.token,
        headers: { "x-zitadel-orgid": organizationId },
      });
      assert.equal(reset.status, 200, JSON.stringify(reset.body));
      const held = await open(ofInstance);
      assert.deepEqual(await worth(held), answered);
      await changeSettings(server, "login", { identityProviderIds: [] });
      assert.deepEqual(await worth(held), refused);
    });
  });
});
