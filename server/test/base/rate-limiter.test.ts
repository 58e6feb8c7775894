import assert from "node:assert/strict";
import { test } from "node:test";
import { createRateLimiter } from "../../src/base/budget/rate-limiter.ts";
import { cpuMilliseconds } from "../support/servers/cpu-time.ts";

const start = 1_800_000_000_000;

test("a burst is allowed, and then one request at a time", () => {
  const limiter = createRateLimiter({ perMinute: 60 });
  for (let count = 0; count < 60; count++) assert.equal(limiter.take("a", start), 0, String(count));
  assert.equal(limiter.take("a", start), 1000);
  assert.equal(limiter.take("b", start), 0, "another one has his own allowance");
  assert.equal(limiter.take("a", start + 999), 1);
  assert.equal(limiter.take("a", start + 1000), 0);
  assert.equal(limiter.take("a", start + 1000), 1000);
  for (let count = 0; count < 60; count++) assert.equal(limiter.take("a", start + 61_000), 0, "rested");
});

test("over an hour no caller gets more than the rate and one burst, however the requests are spread", () => {
  for (const every of [1, 7, 300, 999]) {
    const limiter = createRateLimiter({ perMinute: 90 });
    let passed = 0;
    for (let at = 0; at < 3_600_000; at += every) if (limiter.take("a", start + at) === 0) passed++;
    assert.ok(passed <= 90 * 61, `${passed} with one every ${every} ms`);
    assert.ok(passed >= Math.min(90 * 60, Math.floor(3_600_000 / every)), `${passed} with one every ${every} ms`);
  }
});

test("refused requests do not count, and a clock that is set back locks no caller out", () => {
  const limiter = createRateLimiter({ perMinute: 10 });
  for (let count = 0; count < 10; count++) limiter.take("a", start);
  for (let count = 0; count < 100; count++) assert.equal(limiter.take("a", start), 6000);
  assert.equal(limiter.take("a", start + 6000), 0);
  assert.ok(limiter.take("a", start - 86_400_000) <= 60_000);
});

test("memory is bounded: the least recently seen callers are forgotten, returning ones are kept", () => {
  const limiter = createRateLimiter({ perMinute: 1, maximumKeys: 1000 });
  assert.equal(limiter.take("busy", start), 0);
  for (let index = 0; index < 10_000; index++) {
    limiter.take(`key ${index}`, start);
    if (index % 100 === 0 && index < 400) assert.ok(limiter.take("busy", start) > 0);
  }
  assert.equal(limiter.take("key 0", start), 0, "forgotten");
  assert.ok(limiter.take("key 9999", start) > 0, "remembered");
});

test("counting costs next to nothing", async () => {
  const limiter = createRateLimiter({ perMinute: 100_000_000 });
  const keys = Array.from({ length: 1000 }, (_, index) => `instance\n10.0.${index >> 8}.${index & 255}`);
  const rounds = 100_000;
  const spent = await cpuMilliseconds(async () => {
    for (let index = 0; index < rounds; index++) limiter.take(keys[index % keys.length] as string, start + index);
  });
  assert.ok((spent * 1000) / rounds < 2, `${(spent * 1000) / rounds} µs each`);
});
