import assert from "node:assert/strict";
import { test } from "node:test";
import { days, hours, minutes, seconds } from "../../../src/base/clock.ts";
import {
  activateSigningKey,
  createSigningKey,
  deleteSigningKey,
  keySetMaxAgeSeconds,
  listSigningKeys,
  type RotationPolicy,
  rotateSigningKeys,
} from "../../../src/domain/signing-key/index.ts";
import { eachEngine, makeLocation, onPostgres } from "../../support/databases/databases.ts";
import { at, createActiveKey, ed25519, listKeyEvents, openNode, p256, rsa, toNode } from "./support.ts";

const policy: RotationPolicy = { signingPeriod: days(90), tokenLifetime: hours(12) };
const ahead = seconds(keySetMaxAgeSeconds);
const nothing = { published: [], activated: [], removed: [] };
type Node = ReturnType<typeof toNode>;

const listStates = async (node: Node): Promise<string[]> =>
  (await listSigningKeys(node, at(0))).map(({ state }) => state);

eachEngine((open) => {
  test("a successor is published ahead, signs on time, and the former key stays until its last token has died", async (t) => {
    const node = await openNode(open, t);
    const first = await createActiveKey(node, at(0), p256);
    const rotate = (milliseconds: number) => rotateSigningKeys(node, at(milliseconds), policy);

    assert.deepEqual(await rotate(0), nothing);
    assert.deepEqual(await rotate(days(90) - ahead - 1), nothing);
    const { published, ...rest } = await rotate(days(90) - ahead);
    assert.deepEqual([published.length, rest], [1, { activated: [], removed: [] }]);
    assert.deepEqual(await listStates(node), ["active", "initial"]);

    assert.deepEqual(await rotate(days(90) - 1), nothing);
    assert.deepEqual(await rotate(days(90)), { published: [], activated: published, removed: [] });
    assert.deepEqual(await listStates(node), ["inactive", "active"]);

    assert.deepEqual(await rotate(days(90) + hours(12) + ahead - 1), nothing);
    assert.deepEqual(await rotate(days(90) + hours(12) + ahead), {
      published: [],
      activated: [],
      removed: [first.keyId],
    });
    assert.deepEqual(await listStates(node), ["active"]);
    assert.deepEqual(
      (await listKeyEvents(node.database)).map(({ type }) => type.split(".")[1]),
      ["created", "activated", "created", "deactivated", "activated", "deleted"],
    );
  });

  test("a tick that comes late publishes first, and activates only when every cached key set is gone", async (t) => {
    const node = await openNode(open, t);
    await createActiveKey(node, at(0), ed25519);
    const late = days(500);
    const { published } = await rotateSigningKeys(node, at(late), policy);
    assert.equal(published.length, 1);
    assert.deepEqual(await rotateSigningKeys(node, at(late), policy), nothing);
    assert.deepEqual(await rotateSigningKeys(node, at(late + ahead - 1), policy), nothing);
    assert.deepEqual((await rotateSigningKeys(node, at(late + ahead), policy)).activated, published);
  });

  test("a successor is a key of the same kind", async (t) => {
    const node = await openNode(open, t);
    for (const parameters of [rsa, p256, ed25519]) await createActiveKey(node, at(0), parameters);
    await rotateSigningKeys(node, at(days(90)), policy);
    const keys = await listSigningKeys(node, at(0));
    for (const { parameters } of keys) {
      assert.equal(keys.filter((key) => JSON.stringify(key.parameters) === JSON.stringify(parameters)).length, 2);
    }
  });

  test("rotation leaves an operator's waiting key alone, and starts again when an operator rotates by hand", async (t) => {
    const node = await openNode(open, t);
    await createActiveKey(node, at(0), p256);
    const own = await createSigningKey(node, at(0), p256);
    const { published } = await rotateSigningKeys(node, at(days(90) - ahead), policy);
    assert.deepEqual(await listStates(node), ["active", "initial", "initial"]);
    await activateSigningKey(node, at(days(90) - 1), { keyId: own.keyId });
    assert.deepEqual((await rotateSigningKeys(node, at(days(90)), policy)).activated, []);
    // The successor that waits already serves when the operator's key has signed for its time.
    assert.deepEqual((await rotateSigningKeys(node, at(days(180)), policy)).activated, published);
    assert.deepEqual(await deleteSigningKey(node, at(days(181)), { keyId: "unknown" }), undefined);
  });

  test("a lifetime that was shortened later does not shorten the life of tokens that were signed before", async (t) => {
    const node = await openNode(open, t);
    const first = await createActiveKey(node, at(0), p256);
    await rotateSigningKeys(node, at(1), { ...policy, tokenLifetime: days(30) });
    await rotateSigningKeys(node, at(days(90) - ahead), policy);
    await rotateSigningKeys(node, at(days(90)), policy);
    assert.deepEqual((await rotateSigningKeys(node, at(days(120) + ahead - 1), policy)).removed, []);
    assert.deepEqual((await rotateSigningKeys(node, at(days(120) + ahead), policy)).removed, [first.keyId]);
  });

  test("many ticks at once do each step once", async (t) => {
    const node = await openNode(open, t);
    await createActiveKey(node, at(0), p256);
    await createActiveKey(node, at(0), ed25519);
    for (const [time, expected] of [
      [days(90) - ahead, 4],
      [days(90), 4],
      [days(91), 2],
    ] as const) {
      await Promise.all(Array.from({ length: 8 }, () => rotateSigningKeys(node, at(time), policy)));
      assert.equal((await listStates(node)).length, expected);
    }
    assert.deepEqual(await listStates(node), ["active", "active"]);
    const counts = Object.groupBy(await listKeyEvents(node.database), ({ type }) => type);
    assert.deepEqual(
      Object.values(counts).map((events) => events?.length),
      [4, 4, 2, 2],
    );
  });

  test("through many rotations every living token is known to every relying party that caches the key set", async (t) => {
    const node = await openNode(open, t);
    await createActiveKey(node, at(0), p256);
    await createActiveKey(node, at(0), ed25519);
    const often = { ...policy, signingPeriod: days(7) };
    let state = 42;
    const random = (below: number): number => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
      return (state >> 8) % below;
    };
    let tokens: { readonly keyId: string; readonly expiresAt: number }[] = [];
    let cached = { at: Number.NEGATIVE_INFINITY, keyIds: new Set<string>() };
    let checked = 0;
    const signers = new Set<string>();
    for (let now = 0; now < days(120); now += 1) {
      // Around a change every minute matters; between changes time flies.
      now += random(8) === 0 ? random(days(2)) : random(minutes(4));
      if (random(3) === 0) await rotateSigningKeys(node, at(now), often);
      const keys = await node.ring("instance-1");
      for (const algorithm of ["ES256", "EdDSA"] as const) {
        const { keyId } = keys.signingKey(algorithm);
        signers.add(keyId);
        tokens.push({ keyId, expiresAt: now + random(policy.tokenLifetime) });
      }
      if (cached.at + seconds(keySetMaxAgeSeconds) <= now)
        cached = { at: now, keyIds: new Set(keys.verificationKeys.keys()) };
      tokens = tokens.filter(({ expiresAt }) => expiresAt > now).slice(-200);
      for (const { keyId } of tokens) {
        assert.ok(cached.keyIds.has(keyId), `at ${now} a living token of ${keyId} is unknown`);
        checked++;
      }
      assert.ok(keys.verificationKeys.size <= 6);
    }
    assert.ok(checked > 5000);
    assert.ok(signers.size >= 20, `${signers.size} keys signed`);
  });
});

onPostgres((open) => {
  test("two nodes that rotate at once do each step once", async (t) => {
    const location = await makeLocation(t, "postgres");
    const nodes = [toNode(await open(t, { at: location })), toNode(await open(t, { at: location }))];
    const [first] = nodes;
    assert.ok(first);
    await createActiveKey(first, at(0), p256);
    for (let round = 1; round <= 5; round++) {
      for (const time of [days(90) * round - ahead, days(90) * round, days(90) * round + days(1)]) {
        await Promise.all(
          nodes.flatMap((node) => Array.from({ length: 4 }, () => rotateSigningKeys(node, at(time), policy))),
        );
      }
      assert.deepEqual(await listStates(first), ["active"], `round ${round}`);
    }
    const counts = Object.groupBy(await listKeyEvents(first.database), ({ type }) => type);
    assert.deepEqual(
      Object.values(counts).map((events) => events?.length),
      [6, 6, 5, 5],
    );
  });
});
