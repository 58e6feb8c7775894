import { readdirSync, readFileSync } from "node:fs";
import process from "node:process";
import { setTimeout as wait } from "node:timers/promises";

/** A process that outlived the test that started it. */
export interface Leftover {
  readonly pid: number;
  readonly command: string;
  /** Its environment, as `NAME=value`. */
  readonly environment: readonly string[];
}

/**
 * Finds processes that have `mark` (`NAME=value`) in their environment, as all descendants of a marked process do, and
 * ends them. Waits for `patience` milliseconds first, because a browser takes a moment to close. Empty where there is
 * no /proc.
 */
export async function endLeftovers(mark: string, patience = 5000): Promise<Leftover[]> {
  let found = findMarked(mark);
  for (let waited = 0; found.length > 0 && waited < patience; waited += 100) {
    await wait(100);
    found = findMarked(mark);
  }
  for (const { pid } of found) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It ended in this very moment.
    }
  }
  return found;
}

function findMarked(mark: string): Leftover[] {
  const found: Leftover[] = [];
  for (const entry of listProcesses()) {
    const pid = Number(entry);
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    try {
      const environment = readFileSync(`/proc/${entry}/environ`, "latin1").split("\0");
      if (!environment.includes(mark)) continue;
      const command = readFileSync(`/proc/${entry}/cmdline`, "latin1").replaceAll("\0", " ").trim();
      if (command !== "") found.push({ pid, command: command.slice(0, 120), environment });
    } catch {
      // It ended while it was looked at, or belongs to another user.
    }
  }
  return found;
}

function listProcesses(): string[] {
  try {
    return readdirSync("/proc");
  } catch {
    return [];
  }
}
