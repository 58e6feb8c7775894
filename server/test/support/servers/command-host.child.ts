import process from "node:process";
import { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import type { Answer, Order } from "./command-host.ts";

// Runs commands one after another, as `bin/doorward.js` runs one: with the directory, the environment and the input of
// each. What they print goes to the streams of this process, and the program is loaded once for all of them.

const patience = 20_000;
process.stdout.write("");
process.stderr.write("");
process.on("disconnect", () => process.exit());
process.on("message", (order: Order) => void obey(order));
const usual = process.getActiveResourcesInfo();
const loading = loadProgram();

async function loadProgram(): Promise<typeof import("../../../src/cli/program.ts")> {
  const bin = new URL("../../../bin/", import.meta.url).href;
  ((await import(`${bin}keep-compiled.js`)) as { keepCompiled(): void }).keepCompiled();
  ((await import(`${bin}resolve-sources.js`)) as { resolveSources(): void }).resolveSources();
  return import("../../../src/cli/program.ts");
}

async function obey({ args, directory, environment, input, end }: Order): Promise<void> {
  const { runProgram } = await loading;
  process.chdir(directory);
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, environment);
  const stdin = Readable.from(input === "" ? [] : [input]);
  Object.defineProperty(process, "stdin", { configurable: true, value: stdin });
  const code = await runProgram(args);
  const left = await untilNothingIsLeft();
  process.stdout.write(end);
  process.stderr.write(end);
  process.send?.({ code, left } satisfies Answer);
}

/** Waits as long as a process of its own would take to end, and returns what would keep it from that. */
async function untilNothingIsLeft(): Promise<readonly string[]> {
  const deadline = performance.now() + patience;
  for (;;) {
    const left = findLeft();
    if (left.length === 0 || performance.now() > deadline) return left;
    await wait(1, undefined, { ref: false });
  }
}

function findLeft(): readonly string[] {
  const left = process.getActiveResourcesInfo();
  for (const name of usual) {
    const at = left.indexOf(name);
    if (at !== -1) left.splice(at, 1);
  }
  return left;
}
