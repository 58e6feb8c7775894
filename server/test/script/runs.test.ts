import assert from "node:assert/strict";
import { test } from "node:test";
import { currentPayer, payFor } from "../../src/base/budget/payer.ts";
import { rememberAnswers } from "../../src/extension/script/answers.ts";
import { createComputingTurns } from "../../src/extension/script/computing-turns.ts";
import { createScriptLog } from "../../src/extension/script/script-log.ts";
import { createScriptPool } from "../../src/extension/script/script-pool.ts";
import { virtualTime } from "./support/virtual-time.ts";

test("what a script asks is on the account of its own request", async () => {
  const pool = createScriptPool();
  const source = `function ask(ctx, api) { require("service/http").fetch("x:"); }`;
  const request = { source, name: "ask", kind: "token", timeout: 5_000, input: "{}", words: ["service"] } as const;
  for (const name of ["first", "second", "third"]) {
    const payers: (readonly string[])[] = [];
    await payFor([name], () =>
      pool.run({ instanceId: "i", organizationId: "o" }, request, async () => {
        payers.push(currentPayer());
        return '{"status":200,"body":""}';
      }),
    );
    assert.deepEqual(payers, [[name]]);
  }
});

test("the same question is answered once in a run, and there are only so many", async () => {
  let count = 0;
  const answer = rememberAnswers(async (question) => {
    count++;
    return question;
  });
  for (let times = 0; times < 100; times++) assert.equal(await answer("grants", "null"), "grants");
  assert.equal(count, 1);
  for (let times = 1; times < 30; times++) await answer("grant_metadata", `"${times}"`);
  assert.throws(() => answer("grant_metadata", '"more"'), /only so much/);
  assert.equal(count, 30);
});

test("an organization fills the log of the process with only so many lines", () => {
  const lines: string[] = [];
  const log = createScriptLog((_level, message) => void lines.push(message));
  for (let times = 0; times < 1_000; times++)
    log({ instanceId: "i", organizationId: "o" }, "info", "a script wrote", {});
  assert.equal(lines.filter((line) => line === "a script wrote").length, 600);
  assert.equal(lines.length, 601);
  log({ instanceId: "i", organizationId: "other" }, "info", "of another", {});
  assert.equal(lines.at(-1), "of another");
});

test("scripts of one trigger take no longer together than users wait", async () => {
  const pool = createScriptPool();
  const slow = {
    source: "function slow() { for (;;); }",
    name: "slow",
    kind: "token",
    input: "{}",
    words: [],
  } as const;
  const asked = performance.now();
  const run = (within?: number) =>
    pool.run(
      { instanceId: "i", organizationId: "o" },
      { ...slow, timeout: 400, ...(within !== undefined && { within }) },
      async () => "{}",
    );
  // One computes at a time. What the others wait is no part of the time that each has, but of what they have together.
  const outcomes = await Promise.all([run(), run(), run(), run(600)]);
  assert.ok(performance.now() - asked < 10_000);
  assert.deepEqual(
    outcomes.map(({ failure }) => failure),
    ["timeout", "timeout", "timeout", "too_many"],
  );
});

test("turns to compute are divided among organizations and instances, and those who had theirs give way", async (t) => {
  const { clock, pass } = virtualTime(t);
  const turns = createComputingTurns(3, clock);
  const ended: string[] = [];
  const begin = async (instanceId: string, organizationId: string, longestWait = 60_000) => {
    const name = `${instanceId}${organizationId}`;
    const turn = turns.begin({ instanceId, organizationId }, () => {
      ended.push(name);
      turn.end();
    });
    await turn.enter(longestWait);
    return turn;
  };
  await begin("i", "a");
  const second = await begin("i", "b");
  const refused = [
    assert.rejects(begin("i", "a", 100), { name: "QueueFull" }, "one of an organization"),
    assert.rejects(begin("i", "c", 100), { name: "QueueFull" }, "two of an instance"),
  ];
  await pass(200);
  await Promise.all(refused);
  await begin("j", "a");
  assert.deepEqual(ended, []);
  // A run that waits for an answer has no turn.
  second.leave();
  const third = await begin("i", "c");
  third.end();
  await second.enter(60_000);
  // What has computed most gives way to another organization's.
  const fourth = begin("i", "c");
  await pass(3_000);
  await fourth;
  assert.deepEqual(ended, ["ia"]);
  second.end();
});
