import assert from "node:assert/strict";
import { test } from "node:test";
import { createPasswordHasher } from "../../src/base/password/password-hash.ts";
import { restOfQuantum, roundUpToStep } from "../../src/base/password/refusal-quantum.ts";
import { systemRandom } from "../../src/base/random.ts";

test("costs are rounded up to steps that double, and to 6.4 seconds at most", () => {
  const steps = [0, 1, 100, 101, 200, 201, 400, 525, 6400, 1e9].map(roundUpToStep);
  assert.deepEqual(steps, [0, 100, 100, 200, 200, 400, 400, 800, 6400, 6400]);
});

test("what takes less than a quantum ends with it, and what takes longer with the next", () => {
  for (const elapsed of [0, 1, 30, 99, 100]) assert.equal(elapsed + restOfQuantum(elapsed, 100), 100);
  for (const elapsed of [101, 150, 200]) assert.equal(elapsed + restOfQuantum(elapsed, 100), 200);
  assert.equal(restOfQuantum(37, 0), 0, "and without imported hashes nothing waits");
});

const hasher = createPasswordHasher({ concurrency: 1, queueLimit: 1, random: systemRandom });

test("a hash of another system has a cost, with a margin, and ours has none", () => {
  const salt = Buffer.alloc(16, 7).toString("base64").replace(/=+$/, "");
  const digest = Buffer.alloc(32, 7).toString("base64").replace(/=+$/, "");
  const bcrypt = "abcdefghijklmnopqrstuuJ8DsPYb8Ft8lqUaDLYxRwSx2eIv.sZ6";
  const costs = {
    [`$argon2id$v=19$m=19456,t=2,p=1$${salt}$${digest}`]: 0,
    "no hash": 0,
    [`$pbkdf2-sha256$i=1$${salt}$${digest}`]: 100,
    [`$2b$10$${bcrypt}`]: 200,
    [`$2b$12$${bcrypt}`]: 400,
    [`$pbkdf2-sha256$i=1200000$${salt}$${digest}`]: 800,
  };
  for (const [stored, cost] of Object.entries(costs)) assert.equal(hasher.costOfImported(stored), cost, stored);
});
