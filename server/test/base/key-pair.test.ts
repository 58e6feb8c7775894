import assert from "node:assert/strict";
import { test } from "node:test";
import { type Payer, payFor } from "../../src/base/budget/payer.ts";
import { Fault } from "../../src/base/fault.ts";
import { generateKeyPair, keyPairQueue, weightOf } from "../../src/base/key-pair.ts";
import { countKeyPairs } from "../support/operations/key-pairs.ts";

const isTooMany = (error: unknown): boolean => error instanceof Fault && error.id === "request.too_many";
const p256 = { kind: "ec", curve: "P-256" } as const;

test("one key pair is generated at a time, and a newcomer's is the next, however many others wait (A28)", async (t) => {
  const count = countKeyPairs(t);
  const done: string[] = [];
  const generate = (payer: Payer, signal?: AbortSignal) =>
    payFor(payer, async () => {
      await generateKeyPair(p256, signal);
      done.push(payer[0] ?? "");
    });
  const gone = new AbortController();
  const flood = Array.from({ length: 16 }, () => generate(["flooder", "organization", "user"]));
  const left = generate(["flooder", "organization", "user"], gone.signal);
  await assert.rejects(generate(["flooder", "organization", "user"]), isTooMany);
  assert.deepEqual([keyPairQueue.running, keyPairQueue.waiting], [1, 16]);
  const other = generate(["other", "organization", "user"]);
  gone.abort(new Error("gone"));
  await assert.rejects(left, /gone/);
  await Promise.all([...flood, other]);
  assert.equal(done.indexOf("other"), 1, done.join(" "));
  assert.deepEqual(count, { begun: 17, mostAtOnce: 1 });
});

test("what a key pair costs a budget grows with what it costs the processor", () => {
  const rsa = [2048, 3072, 4096].map((bits) => weightOf({ kind: "rsa", bits }));
  assert.deepEqual([weightOf(p256), ...rsa], [1, 1, 3, 10]);
});
