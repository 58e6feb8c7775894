import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { get } from "node:http";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { cpuSeconds } from "./usage.ts";

export interface ServerProcess {
  readonly pid: number;
  /** Milliseconds from the start of the process to its first good answer. */
  readonly readyMilliseconds: number;
  /** Milliseconds of processor time that it had used by then: what a busy machine does not change. */
  readonly readyCpuMilliseconds: number;
  /** Ends it as an operator would, and waits. */
  stop(): Promise<void>;
}

export interface ProcessOptions {
  readonly arguments: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** URL that answers 200 when the server is ready. */
  readonly ready: string;
}

const patience = 180_000;

/** Starts a program with the node that runs the bench, and waits until it answers. */
export async function startProcess(options: ProcessOptions): Promise<ServerProcess> {
  const started = performance.now();
  const child = spawn(process.execPath, options.arguments, {
    env: { PATH: process.env["PATH"], NODE_ENV: "production", ...options.environment },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, "exit");
    child.kill("SIGTERM");
    await exited;
  };
  try {
    await untilReady(child, options.ready, started);
  } catch (error) {
    await stop();
    throw error;
  }
  const pid = child.pid as number;
  const readyMilliseconds = performance.now() - started;
  return { pid, readyMilliseconds, readyCpuMilliseconds: cpuSeconds(pid) * 1000, stop };
}

async function untilReady(child: ChildProcess, url: string, started: number): Promise<void> {
  while (performance.now() - started < patience) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`);
    if (await isAnswering(url)) return;
    await sleep(5);
  }
  throw new Error(`the server did not answer ${url} in time`);
}

function isAnswering(url: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const request = get(url, { agent: false }, (response) => {
    response.resume();
    resolve(response.statusCode === 200);
  });
  request.on("error", () => resolve(false));
  return promise;
}
