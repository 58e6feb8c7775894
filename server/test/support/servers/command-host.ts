import { type ChildProcess, fork } from "node:child_process";
import process from "node:process";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";

/** What a command of ours did. */
export interface Outcome {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a host runs next. */
export interface Order {
  readonly args: readonly string[];
  readonly directory: string;
  /** All of it: nothing of the host's own is handed on. */
  readonly environment: Readonly<Record<string, string>>;
  readonly input: string;
  /** What ends the output of the command on both streams. */
  readonly end: string;
}

/** How a command ended. */
export interface Answer {
  readonly code: number;
  /** What would have kept a process of its own from ending. */
  readonly left: readonly string[];
}

/** A command that a host runs. */
export interface HostedCommand {
  readonly child: ChildProcess;
  /** What it has printed so far. */
  readonly said: { stdout: string; stderr: string };
  readonly ended: Promise<Outcome>;
}

interface Running {
  readonly said: HostedCommand["said"];
  readonly end: string;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: Error) => void;
  answer?: Answer;
}

interface Host {
  readonly child: ChildProcess;
  running?: Running | undefined;
}

const program = fileURLToPath(new URL("./command-host.child.ts", import.meta.url));
const idle: Host[] = [];
let count = 0;

/**
 * Runs a command in a process that has run others before, because loading the program takes longer than most commands
 * take. Rejects when something is left that would keep a process of its own from ending.
 */
export function runHosted(order: Omit<Order, "end">): HostedCommand {
  const host = idle.pop() ?? startHost();
  const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
  const running: Running = { said: { stdout: "", stderr: "" }, end: `\u0001end ${++count}\n`, resolve, reject };
  host.running = running;
  keepAlive(host, "ref");
  host.child.send({ ...order, end: running.end } satisfies Order);
  return { child: host.child, said: running.said, ended: promise };
}

function startHost(): Host {
  // The runner finds what outlives a test file by variables with these names.
  const marks = Object.entries(process.env).filter(([name]) => /^(?:DOORWARD_TEST_|NODE_COMPILE_CACHE$)/.test(name));
  const env = { PATH: process.env["PATH"] ?? "", ...Object.fromEntries(marks) };
  const child = fork(program, { env, execArgv: [], stdio: ["ignore", "pipe", "pipe", "ipc"] });
  const host: Host = { child };
  for (const stream of ["stdout", "stderr"] as const) {
    child[stream]?.setEncoding("utf8").on("data", (text: string) => {
      if (host.running === undefined) return;
      host.running.said[stream] += text;
      finish(host, host.running);
    });
  }
  child.on("message", (answer: Answer) => {
    if (host.running === undefined) return;
    host.running.answer = answer;
    finish(host, host.running);
  });
  child.on("close", (code, signal) => {
    const at = idle.indexOf(host);
    if (at !== -1) idle.splice(at, 1);
    host.running?.resolve({ code, signal, ...host.running.said });
    host.running = undefined;
  });
  process.once("exit", () => child.kill("SIGKILL"));
  return host;
}

// The answer and the two streams come in any order.
function finish(host: Host, { said, end, answer, resolve, reject }: Running): void {
  if (answer === undefined || !said.stdout.endsWith(end) || !said.stderr.endsWith(end)) return;
  said.stdout = said.stdout.slice(0, -end.length);
  said.stderr = said.stderr.slice(0, -end.length);
  host.running = undefined;
  keepAlive(host, "unref");
  idle.push(host);
  if (answer.left.length === 0) resolve({ code: answer.code, signal: null, ...said });
  else reject(new Error(`the command would not end: it holds ${answer.left.join(", ")}\n${said.stdout}${said.stderr}`));
}

/** Whether a host keeps the process of the test alive: only while it runs a command. */
function keepAlive({ child }: Host, change: "ref" | "unref"): void {
  child[change]();
  child.channel?.[change]();
  for (const stream of [child.stdout, child.stderr]) (stream as (Readable & Handle) | null)?.[change]();
}

interface Handle {
  ref(): void;
  unref(): void;
}
