import assert from "node:assert/strict";
import { test } from "node:test";
import { generateMasterKey, parseMasterKey } from "../../../src/base/master-key.ts";
import { systemRandom } from "../../../src/base/random.ts";
import { createVault } from "../../../src/base/vault.ts";
import type { Call } from "../../../src/call/index.ts";
import {
  createDeviceAuthorization,
  decideDeviceAuthorization,
  enterUserCode,
  findDeviceAuthorization,
  pollDeviceAuthorization,
  redeemDeviceAuthorization,
} from "../../../src/domain/device-authorization/index.ts";
import { eachEngine } from "../../support/databases/databases.ts";
import { makeFixtures } from "../../support/operations/fixtures.ts";
import { startDeviceServer } from "./support.ts";

test("a device code is itself alone: not cut, not changed, and no other secret in its place", async (t) => {
  const server = await startDeviceServer(t);
  const waiting = await server.wait("openid offline_access");
  const session = await server.session();
  await server.decide(waiting.user_code, session);
  const code = waiting.device_code;
  const { code: authorizationCode, codeVerifier } = await server.signIn({ scope: "openid offline_access" });
  const last = code.at(-1) === "A" ? "B" : "A";
  const wrong: Readonly<Record<string, string>> = {
    "the user code": waiting.user_code,
    "without its last character": code.slice(0, -1),
    "with another last character": code.slice(0, -1) + last,
    "with one more": `${code}A`,
    "in capitals": code.toUpperCase(),
    "with a blank before": ` ${code}`,
    "an authorization code": authorizationCode,
    "a session token": session.sessionToken,
    "a prefix of another kind": code.replace("dwd_", "dwc_"),
    endless: "x".repeat(20_000),
    "not text": "\u0007\u{1f600}",
  };
  for (const [name, value] of Object.entries(wrong)) {
    const { status, body } = await server.poll(value);
    assert.deepEqual([status, body.error], [400, "invalid_grant"], name);
  }
  const { basic, redirectUri } = server.client;
  const asCode = { grant_type: "authorization_code", code, redirect_uri: redirectUri, code_verifier: codeVerifier };
  assert.equal((await server.form("/oauth/v2/token", asCode, basic)).body.error, "invalid_grant");
  const asRefresh = { grant_type: "refresh_token", refresh_token: code };
  assert.equal((await server.form("/oauth/v2/token", asRefresh, basic)).body.error, "invalid_grant");
  assert.equal((await server.introspect(code))["active"], false);
  const bearer = await server.rest("GET", "/oidc/v1/userinfo", { token: code });
  assert.equal(bearer.status, 401);
  // None of this has spent it.
  assert.equal((await server.poll(code)).status, 200);
});

eachEngine((open) => {
  test("a device belongs to one instance: in another there is no such code, and no user to decide", async (t) => {
    const fixtures = await makeFixtures(t, open);
    const vault = createVault({ writing: parseMasterKey(generateMasterKey(systemRandom)), random: systemRandom });
    const deps = { ...fixtures, vault };
    const here = fixtures.owner;
    const there: Call = fixtures.as([{ role: "IAM_OWNER", level: "instance" }], { instanceId: "another" });
    const asked = {
      clientId: "c",
      applicationId: "a",
      scope: "openid",
      resources: [],
      requestedFrom: "192.0.2.1",
      lifetime: 60_000,
    };
    const { deviceCode, userCode } = await createDeviceAuthorization(deps, here, asked);
    const typed = { typed: userCode, browserHash: "browser", clientAddress: "192.0.2.2" };
    assert.equal((await enterUserCode(deps, there, typed)).outcome, "wrong");
    const found = await enterUserCode(deps, here, typed);
    assert.equal(found.outcome, "found");
    const deviceAuthorizationId = found.outcome === "found" ? found.device.deviceAuthorizationId : "";
    assert.equal(await findDeviceAuthorization(deps.database.read, "another", deviceAuthorizationId), undefined);
    const approval = { userId: "u", sessionId: "s", authTime: 1, authenticationMethods: ["pwd"] };
    for (const browserHash of [undefined, "browser"]) {
      const decision = { deviceAuthorizationId, browserHash, approval };
      assert.equal(await deps.database.change(there, (tx) => decideDeviceAuthorization(tx, decision)), false);
    }
    const question = { deviceCode: deviceCode.reveal(), clientId: "c" };
    assert.equal(await pollDeviceAuthorization(deps, there, question), "unknown");
    assert.equal(await pollDeviceAuthorization(deps, here, question), "pending");
    const decision = { deviceAuthorizationId, browserHash: "browser", approval };
    assert.equal(await deps.database.change(here, (tx) => decideDeviceAuthorization(tx, decision)), true);
    const redeem = (call: Call) => deps.database.touch(call, (tx) => redeemDeviceAuthorization(tx, question));
    assert.equal(await redeem(there), undefined);
    assert.deepEqual(await redeem(here), { ...approval, scope: "openid", resources: [], isSessionLive: false });
    assert.equal(await redeem(here), undefined);
  });
});
