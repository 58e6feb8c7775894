import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import type { Ending } from "../databases/databases.ts";
import { memoryDirectory } from "../databases/memory-directory.ts";
import { freePort } from "../http/free-port.ts";
import { type HostedCommand, type Order, type Outcome, runHosted } from "./command-host.ts";

export type { Outcome } from "./command-host.ts";

const program = resolve(import.meta.dirname, "../../../bin/doorward.js");
const longest = 60_000;

export interface CommandOptions {
  /** Settings for this run; none of the machine's are handed on. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Directory that it runs in, and that holds `.doorward`. */
  readonly in?: string;
  readonly input?: string;
  /**
   * Starts a process for this command alone: where its start, its signals or its end are what is tested. Others run in
   * one that has run commands before (`command-host.ts`).
   */
  readonly isAlone?: boolean;
}

/** A command that runs as a process of its own. */
export interface RunningCommand {
  readonly child: ChildProcess;
  readonly ended: Promise<Outcome>;
  /** The first group of the pattern (or all of it), as soon as the command has printed it on either stream. */
  printed(pattern: RegExp): Promise<string>;
  /** Tells it to stop, and waits until it has. */
  stop(signal?: NodeJS.Signals): Promise<Outcome>;
}

/** Starts `doorward …`; it is killed after the test if it still runs. */
export function startCommand(t: Ending, args: readonly string[], options: CommandOptions = {}): RunningCommand {
  const order = {
    args,
    directory: options.in ?? tmpdir(),
    environment: {
      PATH: process.env["PATH"] ?? "",
      HOME: tmpdir(),
      DOORWARD_OPERATIONS_LISTEN: "",
      ...options.environment,
    },
    input: options.input ?? "",
  };
  const { child, said, ended } = options.isAlone ? runAlone(order) : runHosted(order);
  const state = { isOver: false };
  const over = ended.finally(() => (state.isOver = true)).catch(() => {});
  t.after(async () => {
    if (!state.isOver) child.kill("SIGKILL");
    await over;
  });
  return {
    child,
    ended,
    printed: (pattern) => waitFor({ said, state, pattern, args }),
    stop: (signal = "SIGTERM") => {
      child.kill(signal);
      return ended;
    },
  };
}

function runAlone({ args, directory, environment, input }: Omit<Order, "end">): HostedCommand {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: directory,
    env: environment,
    stdio: ["pipe", "pipe", "pipe"],
  });
  const said = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (said.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said.stderr += text));
  child.stdin.on("error", () => {}).end(input);
  const ended = once(child, "close").then(([code, signal]): Outcome => ({ code, signal, ...said }));
  return { child, said, ended };
}

async function waitFor({
  said,
  state,
  pattern,
  args,
}: {
  readonly said: { readonly stdout: string; readonly stderr: string };
  readonly state: { readonly isOver: boolean };
  readonly pattern: RegExp;
  readonly args: readonly string[];
}): Promise<string> {
  const deadline = performance.now() + longest;
  for (;;) {
    const found = pattern.exec(said.stdout) ?? pattern.exec(said.stderr);
    if (found !== null) return found[1] ?? found[0];
    const isLate = state.isOver || performance.now() > deadline;
    assert.ok(!isLate, `doorward ${args.join(" ")} did not print ${pattern}:\n${said.stdout}${said.stderr}`);
    await new Promise((wait) => setTimeout(wait, 20));
  }
}

/** Runs a command to its end. */
export function runCommand(t: Ending, args: readonly string[], options?: CommandOptions): Promise<Outcome> {
  return startCommand(t, args, options).ended;
}

/** Runs a command with `--json`, which must succeed, and returns what it answered. */
// biome-ignore lint/suspicious/noExplicitAny: answers are compared with what a test expects.
export async function askCommand(t: Ending, args: readonly string[], options?: CommandOptions): Promise<any> {
  const { code, stdout, stderr } = await runCommand(t, [...args, "--json"], options);
  assert.equal(code, 0, `doorward ${args.join(" ")} failed: ${stdout}${stderr}`);
  return JSON.parse(stdout);
}

/** A server that runs as a process. */
export interface ServerProcess extends RunningCommand {
  readonly origin: string;
  readonly port: number;
  /** The line that it answered with when it was ready. */
  // biome-ignore lint/suspicious/noExplicitAny: answers are compared with what a test expects.
  readonly ready: any;
}

/** Starts `doorward dev` or `doorward start` on a free port, and waits until it is ready. */
export async function startServerProcess(
  t: Ending,
  args: readonly [mode: "dev" | "start", ...rest: string[]],
  options: CommandOptions & { readonly port?: number } = {},
): Promise<ServerProcess> {
  const port = options.port ?? (await freePort());
  const origin = `http://localhost:${port}`;
  const environment = { DOORWARD_PORT: String(port), DOORWARD_BASE_URL: origin, ...options.environment };
  const running = startCommand(t, [...args, "--json"], { ...options, environment });
  const ready: unknown = JSON.parse(await running.printed(/^(\{.*"ready":true.*\})$/m));
  return { ...running, origin, port, ready };
}

/** A directory in which a server was started once, and stopped. */
export interface StartedDirectory {
  readonly directory: string;
  readonly port: number;
  /** The setup link that the server printed. */
  readonly setup: string;
}

let started: Promise<StartedDirectory> | undefined;

/**
 * A directory as the first start of `doorward dev` leaves it; removed after the test. The start is made once for all
 * tests of a process.
 */
export async function makeStartedDirectory(t: Ending): Promise<StartedDirectory> {
  started ??= startOnce();
  const source = await started;
  const directory = makeDirectory(t);
  cpSync(source.directory, directory, { recursive: true });
  return { ...source, directory };
}

async function startOnce(): Promise<StartedDirectory> {
  const ends: (() => unknown)[] = [];
  const ending: Ending = { after: (end) => void ends.push(end as () => unknown) };
  const directory = mkdtempSync(join(memoryDirectory() ?? tmpdir(), "doorward-started-"));
  process.once("exit", () => rmSync(directory, { recursive: true, force: true }));
  const server = await startServerProcess(ending, ["dev"], { in: directory });
  await server.stop();
  for (const end of ends) await end();
  return { directory, port: server.port, setup: server.ready.setup };
}

/**
 * An empty directory that is removed after the test; in memory where that is possible, because commands wait for a
 * disk.
 */
export function makeDirectory(t: Ending, parent = memoryDirectory() ?? tmpdir()): string {
  const directory = mkdtempSync(join(parent, "doorward-command-"));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
