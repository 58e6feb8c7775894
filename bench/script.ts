// `npm run bench:script`: what a script of an organization costs that does nothing, beside what it is made of and what
// a fresh context of V8 costs. See README.md.
import { availableParallelism } from "node:os";
import process from "node:process";
import { createContext, Script } from "node:vm";
import { Worker } from "node:worker_threads";
import { compileInterpreter } from "../server/src/extension/script/compile-interpreter.ts";
import { createSandbox } from "../server/src/extension/script/sandbox.ts";
import { createScriptPool } from "../server/src/extension/script/script-pool.ts";

/** Milliseconds from the call to its outcome, by the clock; the best round counts, because others only add to it. */
const target = 1;
const rounds = 5;
const milliseconds = 1_000;

interface Cost {
  /** Milliseconds of one, by the clock: the median. */
  readonly median: number;
  /** Milliseconds of one, of the processors: all threads together. */
  readonly processor: number;
}

async function measureRound(run: () => unknown): Promise<Cost> {
  const times: number[] = [];
  const cpu = process.cpuUsage();
  for (const end = performance.now() + milliseconds; performance.now() < end; ) {
    const before = performance.now();
    await run();
    times.push(performance.now() - before);
  }
  const { user, system } = process.cpuUsage(cpu);
  const median = times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
  return { median, processor: (user + system) / 1000 / times.length };
}

async function measure(run: () => unknown): Promise<Cost> {
  const found: Cost[] = [];
  for (let round = 0; round <= rounds; round++) found.push(await measureRound(run));
  // The first one warmed up.
  const [, ...counted] = found;
  return {
    median: Math.min(...counted.map(({ median }) => median)),
    processor: Math.min(...counted.map(({ processor }) => processor)),
  };
}

const source = "function nothing(ctx, api) {}";
const request = {
  source,
  name: "nothing",
  timeout: 5_000,
  kind: "token",
  input: JSON.stringify({ claims: { sub: "1" }, user: { id: "1" } }),
  words: ["service", "zitadel"],
} as const;

/** A script as the product runs it: from the call to the outcome. */
function subjectOfPool(): () => Promise<void> {
  const pool = createScriptPool();
  return async () => {
    const { failure, message } = await pool.run(
      { instanceId: "instance", organizationId: "organization" },
      request,
      async () => "{}",
    );
    if (failure !== undefined) throw new Error(`the script failed: ${failure} ${message}`);
  };
}

/** The same without threads and turns: the interpreter alone. */
async function subjectOfSandbox(): Promise<() => void> {
  const sandbox = await createSandbox(await compileInterpreter());
  return () => {
    const { failure } = sandbox.run({ ...request, tenant: "tenant" }, () => undefined);
    if (failure !== undefined) throw new Error(`the script failed: ${failure}`);
  };
}

/** The least that another thread costs: a message there and one back. */
function subjectOfThread(): () => Promise<void> {
  const echo = `const { parentPort } = require("node:worker_threads");
    parentPort.on("message", (message) => parentPort.postMessage(message));`;
  const worker = new Worker(echo, { eval: true });
  worker.unref();
  return () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    worker.once("message", resolve);
    worker.postMessage(request);
    return promise;
  };
}

/** A peer without any isolation: a fresh context of V8 in this thread. */
function subjectOfV8(): () => void {
  const script = new Script(`${source} nothing({}, {});`);
  return () => {
    script.runInContext(createContext({}));
  };
}

const subjects = {
  "script that does nothing": subjectOfPool(),
  "its interpreter alone": await subjectOfSandbox(),
  "message to a thread and back": subjectOfThread(),
  "fresh context of V8, no limits": subjectOfV8(),
};
console.log(`node ${process.version}, ${availableParallelism()} processors; best of ${rounds} rounds`);
const found = new Map<string, Cost>();
for (const [name, run] of Object.entries(subjects)) {
  const cost = await measure(run);
  found.set(name, cost);
  console.log(`${name.padEnd(32)}${cost.median.toFixed(3)} ms, ${cost.processor.toFixed(3)} ms of processor time`);
}
const own = found.get("script that does nothing")?.median ?? Number.NaN;
console.log(`${own <= target ? "ok  " : "MISS"} script that does nothing: ${own.toFixed(2)} of at most ${target} ms`);
// The thread of the second last one waits for messages forever.
process.exit(own <= target ? 0 : 1);
