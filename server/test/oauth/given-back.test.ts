import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { preUserinfo, scriptsOf } from "../script/support/scripts.ts";
import { enginesInTurn } from "../support/databases/turns.ts";
import { fetchNonce, makeProof, makeProofKey } from "../support/oidc/dpop.ts";
import { startDeviceServer } from "./device/support.ts";

const scope = "openid offline_access";
const endpoint = "/oauth/v2/token";

enginesInTurn((engine, test, both) => {
  /** A server whose tokens need a script that can be made to fail. */
  const setUp = async (t: Parameters<typeof startDeviceServer>[0]) => {
    const server = await startDeviceServer(t, { engine });
    const scripts = scriptsOf(server);
    const { organizationId } = server;
    const no = await scripts.create("no", `function no() { throw new Error("not now"); }`, { organizationId });
    const slow = await scripts.create("slow", "function slow() { for (;;); }", { organizationId, timeout: "1.5s" });
    const run = (...ids: string[]) => scripts.set(preUserinfo, ids, { organizationId });
    const refresh = (token: string, headers: Record<string, string> = server.client.basic, more = {}) =>
      server.form(endpoint, { grant_type: "refresh_token", refresh_token: token, ...more }, headers);
    return { server, run, fail: () => run(no), delay: () => run(slow), succeed: () => run(), refresh };
  };

  test("a refresh whose script fails does not spend the token, and leaves one that is good", async (t) => {
    const { server, fail, succeed, refresh } = await setUp(t);
    const { refresh_token: token = "", access_token: access = "" } = await server.tokens({ scope });
    await fail();
    for (let times = 0; times < 3; times++) {
      assert.equal((await refresh(token)).body.error, "temporarily_unavailable");
    }
    await succeed();
    const { status, body } = await refresh(token);
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal((await server.introspect(access))["active"], true);
    // It is spent now, as ever.
    assert.equal((await refresh(token)).body.error, "invalid_grant");
    assert.equal((await server.introspect(body.access_token))["active"], false);
  });

  test("a refresh token that is presented once more while a script runs is reuse, and stays so", async (t) => {
    const { server, delay, succeed, refresh } = await setUp(t);
    const { refresh_token: token = "", access_token: access = "" } = await server.tokens({ scope });
    await delay();
    const slow = refresh(token);
    await sleep(500);
    assert.equal((await refresh(token)).body.error, "invalid_grant");
    assert.equal((await slow).body.error, "temporarily_unavailable");
    await succeed();
    assert.equal((await refresh(token)).body.error, "invalid_grant");
    assert.equal((await server.introspect(access))["active"], false);
  });

  test("an authorization code whose script fails can be redeemed, once", async (t) => {
    const { server, fail, delay, succeed } = await setUp(t);
    const redeem = async () => {
      const { code, codeVerifier } = await server.signIn({ scope });
      const { redirectUri, basic } = server.client;
      const asked = { grant_type: "authorization_code", code, redirect_uri: redirectUri, code_verifier: codeVerifier };
      return () => server.form(endpoint, asked, basic);
    };
    const ask = await redeem();
    await fail();
    assert.equal((await ask()).body.error, "temporarily_unavailable");
    await succeed();
    const { status, body } = await ask();
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal((await server.introspect(body.access_token))["active"], true);
    assert.equal((await ask()).body.error, "invalid_grant");
    assert.equal((await server.introspect(body.access_token))["active"], false);

    const stolen = await redeem();
    await delay();
    const slow = stolen();
    await sleep(500);
    assert.equal((await stolen()).body.error, "invalid_grant");
    assert.equal((await slow).body.error, "temporarily_unavailable");
    await succeed();
    assert.equal((await stolen()).body.error, "invalid_grant", "who presented it twice gets nothing");
  });

  both("a device whose script fails keeps its approval, for one redemption", async (t) => {
    const { server, fail, succeed } = await setUp(t);
    const { device_code: code, user_code: userCode } = await server.wait(scope);
    await server.decide(userCode, await server.session());
    await fail();
    assert.equal((await server.poll(code)).body.error, "temporarily_unavailable");
    await succeed();
    const { status, body } = await server.poll(code);
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal((await server.introspect(body.access_token))["active"], true);
    assert.equal((await server.poll(code)).body.error, "invalid_grant");
  });

  test("a token that a failed request would have bound to its key is spent, one that is bound already is not", async (t) => {
    const { server, fail, succeed, refresh } = await setUp(t);
    const client = await server.createClient({
      applicationType: "OIDC_APP_TYPE_USER_AGENT",
      authMethodType: "OIDC_AUTH_METHOD_TYPE_NONE",
    });
    const key = await makeProofKey();
    const prove = async () => ({
      dpop: await makeProof(server, key, { path: endpoint, nonce: await fetchNonce(server, key) }),
    });
    const tokens = async (isBound: boolean): Promise<string> => {
      const { code, codeVerifier } = await server.signIn({ client, scope });
      const asked = { grant_type: "authorization_code", code, code_verifier: codeVerifier, client_id: client.clientId };
      const headers = isBound ? await prove() : {};
      const answer = await server.form(endpoint, { ...asked, redirect_uri: client.redirectUri }, headers);
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      return answer.body.refresh_token;
    };
    for (const isBound of [true, false]) {
      const token = await tokens(isBound);
      const own = { client_id: client.clientId };
      await fail();
      assert.equal((await refresh(token, await prove(), own)).body.error, "temporarily_unavailable");
      await succeed();
      const { status, body } = await refresh(token, isBound ? await prove() : {}, own);
      assert.equal(status, isBound ? 200 : 400, JSON.stringify(body));
    }
  });
});
