import { resolve } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { fileTimeout, fileVariable, mark } from "./marks.ts";
import { timeOf } from "./processor-time.ts";
import { loadTestModule } from "./track-tests.ts";

// What a process of a group runs (tools/run/run-group.ts starts it). Each file becomes one test, and what it declares
// at its top level, hooks as well, belongs to that test: it runs before the next file is loaded, and the name of the
// file is that of the test.

// As the program itself does it, in JavaScript because it runs before the first TypeScript file.
const hooks = new URL("../../server/bin/resolve-sources.js", import.meta.url).href;
((await import(hooks)) as { resolveSources(): void }).resolveSources();
const { after, test } = await loadTestModule();
const patience = Number(process.env["DOORWARD_TEST_PATIENCE"] ?? 60_000);
const files = process.argv.slice(2);
// Between two files nothing may keep the process alive for a moment (connections are unreferenced), and node:test would
// end the run.
const keepRunning = setInterval(() => {}, 1_000_000);
const held: (readonly [file: string, handles: readonly string[]])[] = [];

for (const file of files) {
  process.env[fileVariable] = file;
  const before = lookAround();
  announce("begin", file);
  await test(file, { timeout: fileTimeout() }, async () => {
    await import(pathToFileURL(resolve(file)).href);
  });
  const left = differences(before, lookAround());
  if (left.length > 0) {
    // Reported under the file's name and restored for the files that follow, so that only one file fails.
    await test(file, () => {
      throw new Error(`spoils its process: ${left.join(", ")}`);
    });
    restore(before);
  }
  held.push([file, handles()]);
  announce("end", file);
}
clearInterval(keepRunning);

// When all tests are done, the process has to end by itself: a handle that keeps it (a server, a pool, a timer) would
// keep a production process from stopping as well. It waits for a minute, because closing a browser takes time where
// processors are scarce.
after(() => {
  const timer = setTimeout(() => {
    const kept = handles();
    announce("begin", fileThatHolds(kept));
    console.error(`does not end: ${patience} ms after its last test it still holds ${kept.join(", ") || "a timer"}`);
    process.exit(1);
  }, patience);
  timer.unref();
});

// The file after which there have been as many handles of a kind as now.
function fileThatHolds(kept: readonly string[]): string {
  const count = (list: readonly string[], kind: string): number => list.filter((one) => one === kind).length;
  // The streams of the process itself appear with the first line that is written.
  const kind = kept.find((one) => one !== "PipeWrap") ?? "PipeWrap";
  const since = held.findLastIndex(([, then]) => count(then, kind) < count(kept, kind)) + 1;
  return files[since] ?? files.at(-1) ?? "";
}

function announce(word: "begin" | "end", file: string): void {
  const { user, system } = process.cpuUsage();
  const cpu = Math.round((user + system) / 1000) + timeOf("self").ended;
  const line = `${mark}${JSON.stringify({ word, file, cpu })}\n`;
  process.stdout.write(line);
  process.stderr.write(line);
}

interface Surroundings {
  readonly directory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly fetch: typeof fetch;
  readonly now: typeof Date.now;
  readonly timeout: typeof setTimeout;
}

function lookAround(): Surroundings {
  return {
    directory: process.cwd(),
    environment: { ...process.env },
    fetch: globalThis.fetch,
    now: Date.now,
    timeout: globalThis.setTimeout,
  };
}

function differences(before: Surroundings, now: Surroundings): string[] {
  const names = new Set([...Object.keys(before.environment), ...Object.keys(now.environment)]);
  return [
    ...[...names]
      .filter((name) => before.environment[name] !== now.environment[name])
      .map((name) => `the variable ${name} has changed`),
    ...(before.directory === now.directory ? [] : ["the current directory has changed"]),
    ...(before.fetch === now.fetch ? [] : ["fetch has been replaced"]),
    ...(before.now === now.now && before.timeout === now.timeout ? [] : ["the clock has been replaced"]),
  ];
}

function restore(before: Surroundings): void {
  process.chdir(before.directory);
  for (const name of Object.keys(process.env)) if (!(name in before.environment)) delete process.env[name];
  for (const [name, value] of Object.entries(before.environment)) process.env[name] = value;
  globalThis.fetch = before.fetch;
  Date.now = before.now;
  globalThis.setTimeout = before.timeout;
}

// Timers are left out: the runner has one of its own, and tests that wait for one have waited.
function handles(): string[] {
  return process.getActiveResourcesInfo().filter((name) => name !== "Timeout");
}
