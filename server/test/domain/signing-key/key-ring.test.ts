import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from "jose";
import { Fault } from "../../../src/base/fault.ts";
import { signJwt, verifyOwnJwt } from "../../../src/base/jose/index.ts";
import { generateMasterKey, parseMasterKey } from "../../../src/base/master-key.ts";
import { systemRandom } from "../../../src/base/random.ts";
import { createVault, VaultError } from "../../../src/base/vault.ts";
import {
  activateSigningKey,
  createKeyRing,
  createSigningKey,
  deleteSigningKey,
  type InstanceKeys,
} from "../../../src/domain/signing-key/index.ts";
import { eachEngine, makeLocation, onPostgres } from "../../support/databases/databases.ts";
import { at, createActiveKey, ed25519, openNode, p256, rsa, toNode } from "./support.ts";

const issuer = "https://id.example.com";
const claims = (now: number) => ({ iss: issuer, sub: "user-1", iat: now / 1000, exp: now / 1000 + 60 });
const parse = ({ keySet }: InstanceKeys) => JSON.parse(keySet.body) as JSONWebKeySet;

eachEngine((open) => {
  test("what the ring signs, the published key set verifies: in jose and here", async (t) => {
    const node = await openNode(open, t);
    for (const [index, parameters] of [rsa, p256, ed25519].entries())
      await createActiveKey(node, at(index), parameters);
    const keys = await node.ring("instance-1");
    const now = at(10).now;
    for (const algorithm of ["RS256", "ES256", "EdDSA"] as const) {
      const token = await signJwt(keys.signingKey(algorithm), "at+jwt", claims(now));
      const rules = { keys: keys.verificationKeys, type: "at+jwt", issuer, aliveAt: now } as const;
      assert.deepEqual(verifyOwnJwt(token, rules), claims(now));
      const { payload } = await jwtVerify(token, createLocalJWKSet(parse(keys)), { currentDate: new Date(now) });
      assert.deepEqual(payload, claims(now));
    }
  });

  test("the key set has every key with kid, alg and use, and nothing private", async (t) => {
    const node = await openNode(open, t);
    await createActiveKey(node, at(0), rsa);
    const active = await createActiveKey(node, at(1), p256);
    const initial = await createSigningKey(node, at(2), p256);
    await createActiveKey(node, at(3), ed25519);
    const { keys } = parse(await node.ring("instance-1"));
    assert.deepEqual(
      keys.map(({ kty, alg, use }) => [kty, alg, use]),
      [
        ["RSA", "RS256", "sig"],
        ["EC", "ES256", "sig"],
        ["EC", "ES256", "sig"],
        ["OKP", "EdDSA", "sig"],
      ],
    );
    assert.deepEqual(
      keys.slice(1, 3).map(({ kid }) => kid),
      [active.keyId, initial.keyId],
    );
    const members = new Set(keys.flatMap((key) => Object.keys(key)));
    assert.deepEqual([...members].sort(), ["alg", "crv", "e", "kid", "kty", "n", "use", "x", "y"]);
  });

  test("the ring answers from memory until a key changes, and at once with the change", async (t) => {
    const node = await openNode(open, t);
    const first = await createActiveKey(node, at(0), p256);
    const before = await node.ring("instance-1");
    assert.equal(node.ring("instance-1"), before);
    assert.equal(before.signingKey("ES256"), before.signingKey("ES256"));

    const second = await createSigningKey(node, at(1), p256);
    const published = await node.ring("instance-1");
    assert.deepEqual([...published.verificationKeys.keys()], [first.keyId, second.keyId]);
    assert.equal(published.signingKey("ES256").keyId, first.keyId);
    assert.notEqual(published.keySet.etag, before.keySet.etag);

    await activateSigningKey(node, at(2), { keyId: second.keyId });
    const activated = await node.ring("instance-1");
    assert.equal(activated.signingKey("ES256").keyId, second.keyId);
    assert.equal(activated.keySet.etag, published.keySet.etag);

    await deleteSigningKey(node, at(3), { keyId: first.keyId });
    assert.deepEqual([...(await node.ring("instance-1")).verificationKeys.keys()], [second.keyId]);
  });

  test("a change in one instance leaves what is kept of another", async (t) => {
    const node = await openNode(open, t);
    await createActiveKey(node, at(0), p256);
    const kept = await node.ring("instance-1");
    await createActiveKey(node, at(1, { instanceId: "instance-2" }), p256);
    assert.equal(node.ring("instance-1"), kept);
  });

  test("an algorithm without a key is refused by name", async (t) => {
    const node = await openNode(open, t);
    const keys = await node.ring("instance-1");
    assert.deepEqual(parse(keys), { keys: [] });
    assert.throws(
      () => keys.signingKey("ES256"),
      (error) => error instanceof Fault && error.id === "signing_key.none_active",
    );
  });

  test("without the master key nothing can be signed, and the key set is still served", async (t) => {
    const node = await openNode(open, t);
    await createActiveKey(node, at(0), p256);
    const stranger = createVault({ writing: parseMasterKey(generateMasterKey(systemRandom)), random: systemRandom });
    const keys = await createKeyRing({ database: node.database, vault: stranger })("instance-1");
    assert.equal(parse(keys).keys.length, 1);
    assert.throws(
      () => keys.signingKey("ES256"),
      (error) => error instanceof VaultError && error.reason === "unknown_master_key",
    );
  });
});

onPostgres((open) => {
  test("another node signs with the new key within a second", async (t) => {
    const location = await makeLocation(t, "postgres");
    const [here, there] = [toNode(await open(t, { at: location })), toNode(await open(t, { at: location }))];
    const first = await createActiveKey(here, at(0), p256);
    while ((await there.ring("instance-1")).verificationKeys.size === 0) await sleep(10);
    assert.equal((await there.ring("instance-1")).signingKey("ES256").keyId, first.keyId);
    const second = await createSigningKey(here, at(1), p256);
    await activateSigningKey(here, at(2), { keyId: second.keyId });
    const deadline = performance.now() + 1000;
    while ((await there.ring("instance-1")).signingKey("ES256").keyId !== second.keyId) {
      assert.ok(performance.now() < deadline, "the other node still signs with the former key");
      await sleep(10);
    }
  });
});
