import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { childrenOf } from "./usage.ts";

/**
 * Who runs where: servers with their databases on one core and the load on another, so that rates do not depend on
 * where the operating system puts them. One core or no `taskset` leaves everything where it is.
 */
export interface Cores {
  /** The core of the servers; undefined when nothing is pinned. */
  readonly ofServers: number | undefined;
  /** Puts a process with all its threads, and the children that it has and will have, on the core of the servers. */
  pinServer(pid: number): void;
  /** Puts the process that makes the load on the other core. */
  pinLoad(pid: number): void;
}

/** Chooses the last core for servers: interrupts mostly go to the first. */
export function chooseCores(): Cores {
  const hasTaskset = spawnSync("taskset", ["--version"], { stdio: "ignore" }).status === 0;
  if (!hasTaskset || availableParallelism() < 2) {
    return { ofServers: undefined, pinServer: () => undefined, pinLoad: () => undefined };
  }
  const ofServers = availableParallelism() - 1;
  const pin = (pid: number, core: number): void => {
    execFileSync("taskset", ["--all-tasks", "--cpu-list", "--pid", String(core), String(pid)], { stdio: "ignore" });
  };
  return {
    ofServers,
    pinServer: (pid) => {
      pin(pid, ofServers);
      for (const child of childrenOf(pid)) pin(child, ofServers);
    },
    pinLoad: (pid) => pin(pid, 0),
  };
}

/**
 * Seconds that a core, or all of them, has worked so far for any process; what the host of a virtual machine took is
 * included.
 */
export function busySeconds(core: number | undefined): number {
  const name = core === undefined ? "cpu" : `cpu${core}`;
  const line = readFileSync("/proc/stat", "utf8")
    .split("\n")
    .find((each) => each.startsWith(`${name} `));
  const [user = 0, nice = 0, system = 0, , , interrupts = 0, softInterrupts = 0, steal = 0] = (line ?? "")
    .trim()
    .split(/ +/)
    .slice(1)
    .map(Number);
  return (user + nice + system + interrupts + softInterrupts + steal) / 100;
}
