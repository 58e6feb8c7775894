import assert from "node:assert/strict";
import { test } from "node:test";
import { Fault } from "../../../src/base/fault.ts";
import { sql } from "../../../src/database/index.ts";
import {
  activateSigningKey,
  createFirstSigningKeys,
  createSigningKey,
  deleteSigningKey,
  generateFirstKeyPairs,
  listSigningKeys,
  type SigningKeyParameters,
} from "../../../src/domain/signing-key/index.ts";
import { eachEngine } from "../../support/databases/databases.ts";
import { at, createActiveKey, ed25519, listKeyEvents, openNode, p256, rsa, vault } from "./support.ts";

const isFault = (code: string, id: string) => (error: unknown) =>
  error instanceof Fault && error.code === code && error.id === id;

eachEngine((open) => {
  test("every kind of key can be made, and says what it is", async (t) => {
    const node = await openNode(open, t);
    const kinds: [SigningKeyParameters, string][] = [
      [rsa, "RS256"],
      [{ kind: "rsa", bits: 3072, hash: "sha384" }, "RS384"],
      [{ kind: "rsa", bits: 4096, hash: "sha512" }, "RS512"],
      [p256, "ES256"],
      [{ kind: "ecdsa", curve: "P-384" }, "ES384"],
      [{ kind: "ecdsa", curve: "P-521" }, "ES512"],
      [ed25519, "EdDSA"],
    ];
    for (const [index, [parameters, algorithm]] of kinds.entries()) {
      const created = await createSigningKey(node, at(index), parameters);
      assert.deepEqual([created.algorithm, created.state, created.parameters], [algorithm, "initial", parameters]);
      assert.deepEqual(created.details, {
        sequence: 1,
        createdAt: at(index).now,
        changedAt: at(index).now,
        ownerId: "instance-1",
      });
    }
    const listed = await listSigningKeys(node, at(9));
    assert.deepEqual(
      listed.map(({ parameters }) => parameters),
      kinds.map(([parameters]) => parameters),
    );
    assert.deepEqual(await listSigningKeys(node, at(9, { instanceId: "instance-2" })), []);
  });

  test("a new key waits, including the first of its algorithm; activating one retires the other of its algorithm alone (Z9)", async (t) => {
    const node = await openNode(open, t);
    const [first, other] = [await createActiveKey(node, at(0), p256), await createActiveKey(node, at(1), ed25519)];
    const second = await createSigningKey(node, at(2), p256);
    const states = async () =>
      Object.fromEntries((await listSigningKeys(node, at(9))).map(({ keyId, state }) => [keyId, state]));
    assert.deepEqual(await states(), { [first.keyId]: "active", [other.keyId]: "active", [second.keyId]: "initial" });

    const details = await activateSigningKey(node, at(3), { keyId: second.keyId });
    assert.deepEqual(details, { sequence: 2, createdAt: at(2).now, changedAt: at(3).now, ownerId: "instance-1" });
    assert.deepEqual(await states(), { [first.keyId]: "inactive", [other.keyId]: "active", [second.keyId]: "active" });

    // Once more changes nothing, and the old one may come back.
    assert.deepEqual(await activateSigningKey(node, at(4), { keyId: second.keyId }), details);
    await activateSigningKey(node, at(5), { keyId: first.keyId });
    assert.deepEqual(await states(), { [first.keyId]: "active", [other.keyId]: "active", [second.keyId]: "inactive" });
    const events = await listKeyEvents(node.database);
    assert.deepEqual(
      events.map(({ type, keyId }) => [type, keyId]),
      [
        ["signing_key.created", first.keyId],
        ["signing_key.activated", first.keyId],
        ["signing_key.created", other.keyId],
        ["signing_key.activated", other.keyId],
        ["signing_key.created", second.keyId],
        ["signing_key.deactivated", first.keyId],
        ["signing_key.activated", second.keyId],
        ["signing_key.deactivated", second.keyId],
        ["signing_key.activated", first.keyId],
      ],
    );
  });

  test("the active key cannot be deleted, others can; deleting an absent key succeeds", async (t) => {
    const node = await openNode(open, t);
    const first = await createActiveKey(node, at(0), p256);
    const second = await createSigningKey(node, at(1), p256);
    await assert.rejects(
      deleteSigningKey(node, at(2), { keyId: first.keyId }),
      isFault("failed_precondition", "signing_key.active"),
    );
    assert.equal(await deleteSigningKey(node, at(3), { keyId: second.keyId }), at(3).now);
    assert.equal(await deleteSigningKey(node, at(4), { keyId: second.keyId }), undefined);
    assert.equal(await deleteSigningKey(node, at(4), { keyId: "never" }), undefined);
    await assert.rejects(
      activateSigningKey(node, at(5), { keyId: second.keyId }),
      isFault("not_found", "signing_key.not_found"),
    );
    assert.deepEqual(
      (await listSigningKeys(node, at(6))).map(({ keyId }) => keyId),
      [first.keyId],
    );
    assert.deepEqual(
      (await listKeyEvents(node.database)).map(({ type }) => type),
      ["signing_key.created", "signing_key.activated", "signing_key.created", "signing_key.deleted"],
    );
  });

  test("keys of another instance can be neither activated nor deleted nor seen", async (t) => {
    const node = await openNode(open, t);
    const elsewhere = (milliseconds: number) => at(milliseconds, { instanceId: "instance-2" });
    await createActiveKey(node, at(0), p256);
    const waiting = await createSigningKey(node, at(1), p256);
    await createActiveKey(node, elsewhere(2), p256);
    await assert.rejects(
      activateSigningKey(node, elsewhere(3), { keyId: waiting.keyId }),
      isFault("not_found", "signing_key.not_found"),
    );
    assert.equal(await deleteSigningKey(node, elsewhere(4), { keyId: waiting.keyId }), undefined);
    assert.deepEqual(
      (await listSigningKeys(node, at(5))).map(({ state }) => state),
      ["active", "initial"],
    );
    assert.deepEqual(
      (await listSigningKeys(node, elsewhere(5))).map(({ state }) => state),
      ["active"],
    );
  });

  test("a new instance begins with RS256 and ES256", async (t) => {
    const node = await openNode(open, t);
    const pairs = await generateFirstKeyPairs();
    await node.database.change(at(0), (tx) => createFirstSigningKeys(tx, node, pairs));
    const keys = await listSigningKeys(node, at(1));
    assert.deepEqual(Object.fromEntries(keys.map(({ algorithm, state }) => [algorithm, state])), {
      ES256: "active",
      RS256: "active",
    });
  });

  test("however many are made and activated at once, one key of an algorithm signs", async (t) => {
    const node = await openNode(open, t);
    const created = await Promise.all(
      Array.from({ length: 12 }, (_, index) => createSigningKey(node, at(index), index % 2 ? p256 : ed25519)),
    );
    const countActive = async () =>
      (await listSigningKeys(node, at(20)))
        .filter(({ state }) => state === "active")
        .map(({ algorithm }) => algorithm)
        .sort();
    assert.deepEqual(await countActive(), [], "none signs before it is activated (Z9)");
    const outcomes = await Promise.allSettled(
      created.flatMap(({ keyId }, index) => [
        activateSigningKey(node, at(30 + index), { keyId }),
        index % 3 === 0
          ? deleteSigningKey(node, at(30 + index), { keyId })
          : activateSigningKey(node, at(31 + index), { keyId }),
      ]),
    );
    for (const outcome of outcomes) {
      if (outcome.status === "rejected") assert.ok(outcome.reason instanceof Fault, String(outcome.reason));
    }
    assert.deepEqual(await countActive(), ["ES256", "EdDSA"]);
  });

  test("the private half stands encrypted, bound to its context, and no event or column shows it", async (t) => {
    const node = await openNode(open, t);
    const [first, second] = [await createSigningKey(node, at(0), p256), await createSigningKey(node, at(1), rsa)];
    const rows = await node.database.read.all<Record<string, unknown>>(
      sql`select * from signing_keys where instance_id = 'instance-1' order by created_at`,
    );
    const context = (keyId: string) => `signing_keys/instance-1/${keyId}/private_key`;
    const ciphertext = String(rows[0]?.["private_key"]);
    const pem = vault.decrypt(ciphertext, context(first.keyId)).reveal();
    assert.match(pem, /^-----BEGIN PRIVATE KEY-----/);
    assert.throws(() => vault.decrypt(ciphertext, context(second.keyId)));
    const everything = JSON.stringify([rows, await listKeyEvents(node.database)]);
    assert.doesNotMatch(everything, /PRIVATE KEY|"d\\?"|"p\\?"/);
    for (const line of pem.split("\n").slice(1, -2)) assert.ok(!everything.includes(line));
  });
});
