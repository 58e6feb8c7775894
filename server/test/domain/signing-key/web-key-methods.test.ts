import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify, errors as refused } from "jose";
import { hours, minutes } from "../../../src/base/clock.ts";
import { eachEngine } from "../../support/databases/databases.ts";
import { type OidcServer, startOidcServer } from "../../support/oidc/oidc.ts";
import { startServer, type TestServer } from "../../support/servers/server.ts";

const service = "service.webkey.v2.WebKeyService";
const rsa = (bits: number, hash: number, pss = false) => ({
  rsa: { bits: `RSA_BITS_${bits}`, hasher: `RSA_HASHER_SHA${hash}`, pss },
});
const p256 = { ecdsa: { curve: "ECDSA_CURVE_P256" } };

async function create(server: TestServer, key: object): Promise<string> {
  const { status, body } = await server.connect(`${service}/CreateWebKey`, key);
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(body.creationDate, new Date(server.clock.now).toISOString().replace(".000Z", "Z"));
  return body.id;
}

const list = async (server: TestServer) => (await server.rest("GET", "/v2/web_keys")).body.webKeys;

const states = async (server: TestServer): Promise<Record<string, string>> =>
  Object.fromEntries((await list(server)).map(({ id, state }: { id: string; state: string }) => [id, state]));

eachEngine((_open, engine) => {
  test("a key is made, waits, signs, retires and is removed; each state is listed", async (t) => {
    const server = await startServer(t, { engine });
    const first = (await list(server)).find(({ ecdsa }: { ecdsa?: object }) => ecdsa !== undefined);
    assert.deepEqual([first.state, first.ecdsa], ["STATE_ACTIVE", p256.ecdsa]);
    server.clock.now += 1000;
    const id = await create(server, p256);
    assert.deepEqual((await list(server)).at(-1), {
      id,
      creationDate: new Date(server.clock.now).toISOString().replace(".000Z", "Z"),
      changeDate: new Date(server.clock.now).toISOString().replace(".000Z", "Z"),
      state: "STATE_INITIAL",
      ecdsa: p256.ecdsa,
    });
    server.clock.now += 1000;
    const activated = await server.connect(`${service}/ActivateWebKey`, { id });
    assert.equal(activated.body.changeDate, new Date(server.clock.now).toISOString().replace(".000Z", "Z"));
    const after = await states(server);
    assert.deepEqual([after[first.id], after[id]], ["STATE_INACTIVE", "STATE_ACTIVE"]);

    server.clock.now += 1000;
    const again = await server.connect(`${service}/ActivateWebKey`, { id });
    assert.equal(again.body.changeDate, activated.body.changeDate, "nothing changed");

    const active = await server.rest("DELETE", `/v2/web_keys/${id}`);
    assert.deepEqual([active.status, active.body.code], [400, 9]);
    assert.equal(active.body.details[0].id, "signing_key.active");
    const removed = await server.rest("DELETE", `/v2/web_keys/${first.id}`);
    assert.equal(removed.body.deletionDate, new Date(server.clock.now).toISOString().replace(".000Z", "Z"));
    assert.equal((await states(server))[first.id], undefined);
    const twice = await server.rest("DELETE", `/v2/web_keys/${first.id}`);
    assert.deepEqual([twice.status, twice.body.deletionDate], [200, undefined]);
    const gone = await server.connect(`${service}/ActivateWebKey`, { id: first.id });
    assert.deepEqual([gone.status, gone.body.code], [404, "not_found"]);
  });
});

test("a key of a new algorithm waits until it is activated; an application that needs one gets its own at once (Z9)", async (t) => {
  const server = await startOidcServer(t);
  const id = await create(server, { ed25519: {} });
  assert.equal((await states(server))[id], "STATE_INITIAL");
  const published = (await server.rest("GET", "/oauth/v2/keys", { token: null })).body.keys;
  assert.ok(
    published.some(({ kid }: { kid: string }) => kid === id),
    "it is published",
  );

  const client = await server.createClient({ idTokenSignedResponseAlg: "EdDSA" });
  const { id_token: idToken } = await server.tokens({ client });
  const keys = (await list(server)).filter(({ ed25519 }: { ed25519?: object }) => ed25519 !== undefined);
  const stateOf = ({ state }: { state: string }) => state;
  assert.deepEqual(keys.map(stateOf), ["STATE_INITIAL", "STATE_ACTIVE"], "the product's own key signs");
  assert.equal(decodeProtectedHeader(idToken ?? "").kid, keys[1].id);
  await server.connect(`${service}/ActivateWebKey`, { id });
  const after = (await list(server)).filter(({ ed25519 }: { ed25519?: object }) => ed25519 !== undefined);
  assert.deepEqual(after.map(stateOf), ["STATE_ACTIVE", "STATE_INACTIVE"], "one active key for each algorithm");
});

test("every kind of key can be made, RSA 2048 with SHA-256 when none is named", async (t) => {
  const server = await startServer(t);
  const kinds = [
    rsa(3072, 384),
    rsa(2048, 512),
    rsa(2048, 256, true),
    { ecdsa: { curve: "ECDSA_CURVE_P384" } },
    { ecdsa: { curve: "ECDSA_CURVE_P512" } },
    { ed25519: {} },
  ];
  for (const kind of kinds) await create(server, kind);
  await create(server, {});
  const listed = (await list(server)).slice(-7);
  assert.deepEqual(
    listed.map(({ rsa, ecdsa, ed25519 }: Record<string, object>) => ({
      ...(rsa && { rsa }),
      ...(ecdsa && { ecdsa }),
      ...(ed25519 && { ed25519 }),
    })),
    [...kinds, rsa(2048, 256)],
  );
  const { body } = await server.rest("GET", "/oauth/v2/keys", { token: null });
  const published = body.keys.slice(-7).map(({ kid, alg }: { kid: string; alg: string }) => [kid, alg]);
  const ids = listed.map(({ id }: { id: string }) => id);
  assert.deepEqual(published, [
    [ids[0], "RS384"],
    [ids[1], "RS512"],
    [ids[2], "PS256"],
    [ids[3], "ES384"],
    [ids[4], "ES512"],
    [ids[5], "EdDSA"],
    [ids[6], "RS256"],
  ]);
  assert.ok(!JSON.stringify(listed).includes("PRIVATE"));

  const long = await server.connect(`${service}/CreateWebKey`, rsa(2048, 384, true));
  assert.deepEqual([long.status, long.body.code], [400, "invalid_argument"]);
  assert.match(JSON.stringify(long.body), /rsa\.hasher/);
  const unspecified = await server.connect(`${service}/CreateWebKey`, { rsa: { bits: "RSA_BITS_2048" } });
  assert.deepEqual([unspecified.status, unspecified.body.code], [400, "invalid_argument"]);
  assert.match(unspecified.body.message, /rsa\.hasher/);
});

test("only administrators of the instance may change keys; a viewer may list them", async (t) => {
  const server = await startServer(t);
  const [{ id: organizationId }] = (await server.rest("POST", "/v2/organizations/_search", { body: {} })).body.result;
  const tokenOf = async (username: string, resource: object | undefined, roles: string[]): Promise<string> => {
    const machine = { organizationId, username, machine: { name: username } };
    const { id: userId } = (await server.rest("POST", "/v2/users/new", { body: machine })).body;
    if (resource !== undefined) {
      const { status } = await server.connect(
        "service.internal_permission.v2.InternalPermissionService/CreateAdministrator",
        { userId, resource, roles },
      );
      assert.equal(status, 200);
    }
    const body = { expirationDate: "2100-01-01T00:00:00Z" };
    return (await server.rest("POST", `/v2/users/${userId}/pats`, { body })).body.token;
  };
  const viewer = await tokenOf("viewer", { instance: true }, ["IAM_OWNER_VIEWER"]);
  const owner = await tokenOf("owner", { organizationId }, ["ORG_OWNER"]);
  const nobody = await tokenOf("nobody", undefined, []);
  const { id } = (await list(server))[0];
  const attempts = (token: string | null) =>
    Promise.all(
      [
        server.connect(`${service}/CreateWebKey`, {}, { token }),
        server.connect(`${service}/ActivateWebKey`, { id }, { token }),
        server.connect(`${service}/DeleteWebKey`, { id }, { token }),
        server.rest("GET", "/v2/web_keys", { token }),
      ].map(async (answer) => (await answer).status),
    );
  assert.deepEqual(await attempts(viewer), [403, 403, 403, 200]);
  assert.deepEqual(await attempts(owner), [403, 403, 403, 403]);
  assert.deepEqual(await attempts(nobody), [403, 403, 403, 403]);
  assert.deepEqual(await attempts(null), [401, 401, 401, 401]);
});

test("relying parties that cache the key set verify every token across a rotation, until its key is removed", async (t) => {
  const server = await startOidcServer(t);
  const client = await server.createClient({ accessTokenType: "OIDC_TOKEN_TYPE_JWT" });
  const verify = relyingParty(server);
  const keyOf = (token: string): string => decodeProtectedHeader(token).kid ?? "";
  const sign = async (): Promise<string> => (await server.tokens({ client }))["access_token"] ?? "";

  const old = await sign();
  await verify(old);
  const id = await create(server, p256);
  assert.equal(keyOf(await sign()), keyOf(old), "a published key does not sign yet");
  // The key set may be cached for this long, so that every resource server knows the key before it signs.
  server.clock.now += minutes(5) + 1000;
  await verify(old);
  await server.connect(`${service}/ActivateWebKey`, { id });
  const young = await sign();
  assert.equal(keyOf(young), id);
  await verify(young);
  await verify(old);

  server.clock.now += hours(11);
  await verify(old);
  assert.equal((await server.introspect(old, client))["active"], true);
  await server.rest("DELETE", `/v2/web_keys/${keyOf(old)}`);
  await verify(old);
  server.clock.now += minutes(5) + 1000;
  await assert.rejects(verify(old), refused.JWKSNoMatchingKey);
  assert.equal((await server.introspect(old, client))["active"], false);
  await verify(young);
});

/**
 * Verifies tokens like a resource server that never asks twice while the key set may be cached, not even for a key that
 * it does not know.
 */
function relyingParty(server: OidcServer): (token: string) => Promise<void> {
  const keySet = createRemoteJWKSet(new URL("/oauth/v2/keys", server.origin), {
    cacheMaxAge: minutes(5),
    cooldownDuration: Number.POSITIVE_INFINITY,
  });
  return async (token) => {
    mock.timers.enable({ apis: ["Date"], now: server.clock.now });
    try {
      await jwtVerify(token, keySet, { issuer: server.origin });
    } finally {
      mock.timers.reset();
    }
  };
}
