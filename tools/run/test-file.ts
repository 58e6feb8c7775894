import { join, resolve } from "node:path";
import process from "node:process";
import { run } from "node:test";
import { inspect } from "node:util";
import { endLeftovers } from "./leftovers.ts";

/** What came of one test file. */
export interface FileResult {
  readonly file: string;
  readonly passed: number;
  readonly failed: number;
  /** Names of the tests that were not run, with the reason when one was given. */
  readonly skipped: readonly string[];
  readonly milliseconds: number;
  /** Text for people: each failed test with its error, then what the file printed. Empty when nothing failed. */
  readonly report: string;
}

// Several times what the longest takes: a shared machine may give a run a tenth of its processors for minutes.
const longest = 25 * 60_000;
const longestLong = 60 * 60_000;
// Every file has a process of its own that would compile the product once more.
const compileCache = resolve("node_modules/.cache/doorward");
const watchdog = join(import.meta.dirname, "watchdog.ts");

/**
 * Runs one test file in a process of its own. A file without tests, a process that does not end within a minute of its
 * last test, and processes that outlive it are failures. A long version may take an hour, and what it prints is shown at once.
 */
export async function runTestFile(
  file: string,
  { isLong = false }: { readonly isLong?: boolean } = {},
): Promise<FileResult> {
  const started = performance.now();
  const mark = `DOORWARD_TEST_FILE=${file}#${process.pid}`;
  const failures: string[] = [];
  const skipped: string[] = [];
  const printed: string[] = [];
  let passed = 0;
  const stream = run({
    files: [file],
    timeout: isLong ? longestLong : longest,
    execArgv: ["--import", watchdog],
    env: {
      ...process.env,
      NODE_COMPILE_CACHE: compileCache,
      [mark.slice(0, mark.indexOf("="))]: mark.slice(mark.indexOf("=") + 1),
    },
  });
  // A file without tests is reported as if it were one.
  const isFile = (name: string, nesting: number): boolean => nesting === 0 && resolve(name) === resolve(file);
  stream.on("test:pass", ({ name, nesting, skip, todo, details }) => {
    if (details.type === "suite" || isFile(name, nesting)) return;
    if (skip === undefined && todo === undefined) passed += 1;
    else skipped.push([name, skip ?? todo].filter((part) => typeof part === "string").join(": "));
  });
  stream.on("test:fail", ({ name, details, line }) => {
    const { error } = details;
    // A suite, or a test with subtests, fails with its parts, which were reported already.
    if ("failureType" in error && error.failureType === "subtestsFailed") return;
    failures.push(`✖ ${name} (${file}:${line ?? 1})\n${indent(describe(error.cause ?? error))}`);
  });
  stream.on("test:stdout", ({ message }) => {
    printed.push(message);
    if (isLong) process.stdout.write(message);
  });
  stream.on("test:stderr", ({ message }) => printed.push(message));
  for await (const event of stream) void event;
  const stuck = printed.join("").match(/^does not end: .*$/m)?.[0];
  if (stuck !== undefined) failures.push(`✖ ${stuck} (${file})`);
  const leftovers = await endLeftovers(mark);
  for (const { pid, command } of leftovers) failures.push(`✖ left a process behind (${file}): ${pid} ${command}`);
  if (passed + failures.length + skipped.length === 0) failures.push(`✖ has no test (${file})`);
  const report = failures.length === 0 ? "" : [...failures, lastLines(printed.join(""))].join("\n");
  return { file, passed, failed: failures.length, skipped, milliseconds: performance.now() - started, report };
}

// The message says it all (that of an assertion contains the difference); of the stack only our own places matter.
function describe(error: unknown): string {
  if (!(error instanceof Error)) return inspect(error, { depth: 4 });
  const places = (error.stack ?? "").split("\n").filter((line) => /^ +at /.test(line) && !line.includes("node:"));
  const cause = error.cause === undefined ? [] : [`caused by: ${inspect(error.cause, { depth: 4 })}`];
  return [`${error.name}: ${error.message}`, ...places, ...cause].join("\n");
}

const indent = (text: string): string => text.replace(/^/gm, "    ");

function lastLines(text: string): string {
  const lines = text.trimEnd().split("\n").slice(-60);
  return lines.join("\n") === "" ? "" : `  printed:\n${indent(lines.join("\n"))}`;
}
