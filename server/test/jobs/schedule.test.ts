import assert from "node:assert/strict";
import { test } from "node:test";
import { minutes } from "../../src/base/clock.ts";
import { createSchedule, type Job, type JobRun } from "../../src/jobs/index.ts";

function scheduleOf(...jobs: Job[]) {
  const clock = { now: 1_800_000_000_000 };
  const runs: JobRun[] = [];
  const schedule = createSchedule({ clock: () => clock.now, observe: (run) => runs.push(run) }, jobs);
  return { clock, runs, schedule };
}

const job = (name: string, every: number, run: Job["run"] = async () => ({ things: 1 })): Job => ({ name, every, run });

test("a job runs at once and then at its interval, each at its own", async () => {
  const { clock, runs, schedule } = scheduleOf(job("often", minutes(1)), job("rarely", minutes(3)));
  for (let passed = 0; passed < 6; passed++) {
    await schedule.tick();
    await schedule.tick();
    clock.now += minutes(1);
  }
  assert.equal(runs.filter((run) => run.job === "often").length, 6);
  assert.equal(runs.filter((run) => run.job === "rarely").length, 2);
  assert.deepEqual(runs[0]?.counts, { things: 1 });
  assert.ok((runs[0]?.milliseconds ?? -1) >= 0);
});

test("a clock that is set back does not stop a job", async () => {
  const { clock, runs, schedule } = scheduleOf(job("often", minutes(1)));
  await schedule.tick();
  clock.now -= minutes(60);
  await schedule.tick();
  await schedule.tick();
  assert.equal(runs.length, 2);
});

test("a job that fails is reported and tried again at its next time; the others run on", async () => {
  const failing = job("failing", minutes(1), async () => {
    throw new Error("no luck");
  });
  const { clock, runs, schedule } = scheduleOf(failing, job("other", minutes(1)));
  await schedule.tick();
  clock.now += minutes(1);
  await schedule.tick();
  const failed = runs.filter((run) => run.job === "failing");
  assert.equal(failed.length, 2);
  assert.match(String(failed[0]?.error), /no luck/);
  assert.equal(runs.filter((run) => run.job === "other" && run.error === undefined).length, 2);
});

test("a job that still runs is not started a second time meanwhile, and holds up no other", async () => {
  const slow = Promise.withResolvers<object>();
  let starts = 0;
  const long = job("long", minutes(1), async () => {
    starts++;
    await slow.promise;
    return {};
  });
  const { clock, runs, schedule } = scheduleOf(long, job("other", minutes(1)));
  const first = schedule.tick();
  await new Promise(setImmediate);
  clock.now += minutes(1);
  const second = schedule.tick();
  await new Promise(setImmediate);
  assert.deepEqual([starts, runs.map((run) => run.job)], [1, ["other", "other"]]);
  slow.resolve({});
  await Promise.all([first, second]);
  assert.deepEqual([starts, runs.at(-1)?.job], [2, "long"]);
});

test("stopping tells what runs, waits for it, and starts no more", async () => {
  const events: string[] = [];
  const long = job("long", minutes(1), async ({ signal }) => {
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    events.push("ended");
    return {};
  });
  const { clock, schedule } = scheduleOf(long);
  schedule.start();
  const running = schedule.tick();
  await schedule.stop();
  events.push("stopped");
  await running;
  clock.now += minutes(10);
  await schedule.tick();
  assert.deepEqual(events, ["ended", "stopped"]);
});

test("a tick ends when what is due by its clock is done, even where an earlier run is still on its way", async () => {
  const seen: number[] = [];
  let release: () => void = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const slow = job("slow", minutes(1), async ({ now }) => {
    if (seen.push(now) === 1) await held;
    return {};
  });
  const { clock, schedule } = scheduleOf(slow);
  const began = clock.now;
  const first = schedule.tick();
  await Promise.resolve();
  clock.now += minutes(180);
  const ticks = [schedule.tick(), schedule.tick()];
  setImmediate(release);
  await Promise.all(ticks);
  assert.deepEqual(seen, [began, clock.now], "once, at the later clock");
  await first;
});
