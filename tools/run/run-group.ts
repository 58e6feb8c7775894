import { join, resolve } from "node:path";
import process from "node:process";
import { run } from "node:test";
import { inspect } from "node:util";
import type { FileResult } from "./file-result.ts";
import { createRecord } from "./group-record.ts";
import type { TestGroup } from "./groups.ts";
import { endLeftovers } from "./leftovers.ts";
import { fileTimeout, fileVariable, groupVariable } from "./marks.ts";

export interface GroupOptions {
  /** The whole of suites that usually take a part: it may take an hour, and what it prints is shown at once. */
  readonly isWhole?: boolean;
  /** Called for each file as soon as it has ended. */
  readonly onFile: (result: FileResult) => void;
}

// Every group has a process of its own that would compile the product once more.
const compileCache = resolve("node_modules/.cache/doorward");
const program = join(import.meta.dirname, "group-process.ts");

// Tests make garbage beside a large program that stays. To look through it each time the heap has grown by a part of it
// takes a tenth of the processor time; a process then has some hundred megabytes instead.
const memoryOptions = ["--heap-growing-percent=300"];

let groups = 0;

/**
 * Runs test files in one process, one after another. Besides tests that fail, these are failures, told by file: a file
 * without tests, one that cannot be loaded, one that does not end, one that changes what its process shares with the
 * next, and one that was never reached. So are a process that does not end within a minute of its last test, and
 * processes that outlive it.
 */
export async function runGroup(group: TestGroup, { isWhole = false, onFile }: GroupOptions): Promise<FileResult[]> {
  const groupName = `${process.pid}.${++groups}`;
  const record = createRecord(group.files, onFile);
  // A file that waits forever is ended by its own process. One that is too busy to notice is ended here.
  const busy = new AbortController();
  const watchdog = setTimeout(() => busy.abort(), fileTimeout() * 1.1).unref();
  const stream = run({
    files: [program],
    argv: [...group.files],
    execArgv: [...memoryOptions],
    signal: busy.signal,
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache, [groupVariable]: groupName },
  });
  // The process itself is a test too, but only when it fails.
  const isProcess = (name: string): boolean => resolve(name) === program;
  stream.on("test:pass", ({ name, nesting, skip, todo, details }) => {
    if (nesting === 0) return isProcess(name) ? undefined : record.endFile(name, details.duration_ms);
    const reason = skip ?? todo;
    if (reason !== undefined) record.skip(name, nesting, reason);
    else record.pass(name, nesting, details.type === "suite");
  });
  stream.on("test:fail", ({ name, nesting, details, line }) => {
    const { error } = details;
    if (nesting === 0 && isProcess(name)) return record.failProcess(`${describe(error.cause ?? error)}${endOf(error)}`);
    // A suite, or a test with subtests, fails with its parts, which were reported already.
    const isOwn = !("failureType" in error && error.failureType === "subtestsFailed");
    if (isOwn) record.fail(nesting === 0 ? undefined : name, line, describe(error.cause ?? error));
    if (nesting === 0) record.endFile(name, details.duration_ms);
  });
  stream.on("test:stdout", ({ message }) => {
    const said = record.print("stdout", message);
    if (isWhole) process.stdout.write(said);
  });
  stream.on("test:stderr", ({ message }) => record.print("stderr", message));
  for await (const event of stream) {
    void event;
    watchdog.refresh();
  }
  clearTimeout(watchdog);
  for (const { pid, command, environment } of await endLeftovers(`${groupVariable}=${groupName}`)) {
    const file = environment.find((pair) => pair.startsWith(`${fileVariable}=`))?.slice(fileVariable.length + 1);
    record.failFile(file ?? group.files.at(-1) ?? "", `left a process behind: ${pid} ${command}`);
  }
  return record.close();
}

// How the process of a group ended, which node:test keeps beside a message that is the same for every end.
function endOf(error: Error): string {
  const { exitCode, signal } = error as { readonly exitCode?: unknown; readonly signal?: unknown };
  if (typeof signal === "string") return ` (its process was ended by ${signal})`;
  return typeof exitCode === "number" ? ` (its process ended with code ${exitCode})` : "";
}

// The message says it all (that of an assertion contains the difference); of the stack only our own frames matter.
function describe(error: unknown): string {
  if (!(error instanceof Error)) return inspect(error, { depth: 4 });
  const frames = (error.stack ?? "").split("\n").filter((line) => /^ +at /.test(line) && !line.includes("node:"));
  const cause = error.cause === undefined ? [] : [`caused by: ${inspect(error.cause, { depth: 4 })}`];
  return [`${error.name}: ${error.message}`, ...frames, ...cause].join("\n");
}
