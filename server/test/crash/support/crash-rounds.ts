import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { type Chance, chanceOf } from "../../support/data/random.ts";
import { makeCrashLocation } from "./crash-location.ts";
import { familyWorkload } from "./families.ts";
import { findHalfEffects } from "./half-effects.ts";
import { robotWorkload } from "./robots.ts";
import { sessionWorkload } from "./sessions.ts";
import { startVictim, type Victim } from "./target.ts";
import { userWorkload } from "./users.ts";
import { Lost, type Workload } from "./workload.ts";

const writers = 12;
// A kill comes after so many writes at the most, and in one of five rounds while the first are on their way; then up to
// so many milliseconds later, so that it meets any moment of a write. Counted and not timed, so that a slow machine is
// no easier.
const mostWrites = 250;
const fewWrites = 12;
const longestDelay = 8;

export interface CrashOptions {
  readonly engine: "sqlite" | "postgres";
  readonly rounds: number;
  readonly seed: number;
  readonly say: (line: string) => void;
}

/** What happened in all rounds together. */
export interface CrashReport {
  readonly rounds: number;
  readonly acknowledged: number;
  /** Writes that were under way when the process was killed. */
  readonly inFlight: number;
  readonly milliseconds: number;
}

/**
 * Kills a server in the middle of concurrent writes, again and again on the same data, and compares after each start
 * what it has with what it had acknowledged. Throws with every difference, and the seed.
 */
export async function crashRounds(t: TestContext, options: CrashOptions): Promise<CrashReport> {
  const { engine, rounds, seed, say } = options;
  const started = performance.now();
  const chance = chanceOf(seed);
  const location = await makeCrashLocation(t, engine);
  const victim = await startVictim(t, location);
  const workloads = [userWorkload, sessionWorkload, familyWorkload, robotWorkload].map((make) => make(victim.target));
  const total = { acknowledged: 0, inFlight: 0 };
  for (let round = 1; round <= rounds; round++) {
    const where = `${engine}, round ${round}, DOORWARD_TEST_SEED=${seed}`;
    const { acknowledged, inFlight } = await writeAndKill(victim, workloads, chance);
    total.acknowledged += acknowledged;
    total.inFlight += inFlight;
    demandNothing(where, await location.inspect(findHalfEffects));
    await victim.start();
    const extent = round === rounds ? "all" : "recent";
    for (const workload of workloads) {
      const found = await workload.check(chance, extent);
      demandNothing(`${where}, ${workload.name}`, found);
    }
    say(`${where}: ${acknowledged} writes acknowledged, ${inFlight} in flight`);
  }
  const { stderr } = await victim.process.stop();
  assert.equal(stderr, "", "the server logged failures");
  demandNothing(engine, await location.inspect(findHalfEffects));
  return { rounds, ...total, milliseconds: Math.round(performance.now() - started) };
}

function demandNothing(where: string, found: readonly string[]): void {
  assert.equal(found.length, 0, `${where}:\n${found.slice(0, 20).join("\n")}`);
}

async function writeAndKill(
  { process }: Victim,
  workloads: readonly Workload[],
  chance: Chance,
): Promise<{ readonly acknowledged: number; readonly inFlight: number }> {
  const counts = { acknowledged: 0, inFlight: 0 };
  const enough = Promise.withResolvers<void>();
  const wanted = chance.percent(20) ? chance.below(fewWrites) : fewWrites + chance.below(mostWrites);
  const write = async (own: Chance): Promise<void> => {
    try {
      for (;;) {
        if (counts.acknowledged >= wanted) enough.resolve();
        await own.one(workloads).write(own);
        counts.acknowledged++;
      }
    } catch (error) {
      if (!(error instanceof Lost)) throw error;
      counts.inFlight++;
    }
  };
  const running = Promise.all(Array.from({ length: writers }, () => write(chanceOf(chance.below(2 ** 31)))));
  await Promise.race([enough.promise, running]);
  await sleep(chance.below(longestDelay));
  const { stderr } = await process.stop("SIGKILL");
  await running;
  assert.equal(stderr, "", "the server logged failures before it was killed");
  return counts;
}
