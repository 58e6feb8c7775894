import assert from "node:assert/strict";
import process from "node:process";
import { type TestContext, test } from "node:test";
import { isLong, testSeed } from "../support/data/random.ts";
import { onPostgres } from "../support/databases/databases.ts";
import { crashRounds } from "./support/crash-rounds.ts";

// `npm run test:crash` is the long version.
const rounds = Number(process.env["DOORWARD_CRASH_ROUNDS"] ?? (isLong() ? 50 : 2));
const seed = testSeed();

async function survive(t: TestContext, engine: "sqlite" | "postgres"): Promise<void> {
  const say = (line: string): void => (isLong() ? console.log(line) : undefined);
  const report = await crashRounds(t, { engine, rounds, seed, say });
  console.log(
    `${engine}: ${report.rounds} rounds, ${report.acknowledged} writes acknowledged, ${report.inFlight} in flight when killed, ` +
      `${(report.milliseconds / 1000).toFixed(1)} s, DOORWARD_TEST_SEED=${seed}`,
  );
  assert.ok(report.acknowledged > rounds, "hardly anything was written before the kills");
  assert.ok(report.inFlight > 0, "no kill met a write");
}

test("sqlite: acknowledged changes survive kill -9, and none is partial", (t) => survive(t, "sqlite"));

onPostgres(() => {
  test("acknowledged changes survive kill -9, and none is partial", (t) => survive(t, "postgres"));
});
