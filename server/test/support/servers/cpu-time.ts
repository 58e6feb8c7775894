import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import process from "node:process";

/**
 * CPU time in milliseconds that the work takes in this process, all threads together. Unlike the time on the wall it
 * hardly depends on what else the machine does. For synchronous and asynchronous work; nothing else may run meanwhile.
 */
export async function cpuMilliseconds(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/**
 * Whether the work can be done within so many milliseconds of CPU time, in one of three tries: on a machine that has
 * other things to do, a collector or a cold cache may fall into any one of them.
 */
export async function isDoneWithin(milliseconds: number, work: () => unknown): Promise<boolean> {
  for (let tries = 0; tries < 3; tries++) if ((await cpuMilliseconds(work)) < milliseconds) return true;
  return false;
}

/**
 * CPU time in milliseconds that another process has had, to ten milliseconds; undefined where the system does not tell
 * (it is no Linux).
 */
export function cpuMillisecondsOf({ pid }: ChildProcess): number | undefined {
  try {
    const [, fields = ""] = /\) (.*)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
    // The fields after the name: 12 and 13 are the ticks in user mode and in the kernel, a hundredth of a second each.
    const [user, system] = fields.split(" ").slice(11, 13).map(Number);
    return user === undefined || system === undefined ? undefined : (user + system) * 10;
  } catch {
    return undefined;
  }
}
