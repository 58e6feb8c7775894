import { readdirSync, readFileSync } from "node:fs";

/** Processor time in milliseconds. Nothing where there is no /proc. */
interface ProcessTime {
  /** Of the process itself. */
  readonly own: number;
  /** Of what it started, and what that started, as far as it has ended. */
  readonly ended: number;
}

// What the kernel counts in (USER_HZ, the same on every platform that we know).
const millisecondsPerTick = 10;

/** The processor time of a process. */
export function timeOf(process: number | "self"): ProcessTime {
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = statOf(process).slice(11, 15).map(Number);
  return { own: (user + system) * millisecondsPerTick, ended: (endedUser + endedSystem) * millisecondsPerTick };
}

/** The processor time of a process and of everything that it started. */
export function timeOfTree(process: number | undefined): number {
  if (process === undefined) return 0;
  const children = Map.groupBy(listProcesses(), (pid) => Number(statOf(pid)[1]));
  const sum = (pid: number): number => {
    const { own, ended } = timeOf(pid);
    return own + ended + (children.get(pid) ?? []).reduce((total, child) => total + sum(child), 0);
  };
  return sum(process);
}

/** What all processors together have done since the machine began. */
export function timeOfMachine(): { readonly busy: number; readonly idle: number } {
  const [all = ""] = read("/proc/stat").split("\n", 1);
  const [user = 0, nice = 0, system = 0, idle = 0, waiting = 0] = all.split(/ +/).slice(1).map(Number);
  return { busy: (user + nice + system) * millisecondsPerTick, idle: (idle + waiting) * millisecondsPerTick };
}

/** The fields that follow the name of a process, which may contain anything. */
function statOf(process: number | "self"): string[] {
  const text = read(`/proc/${process}/stat`);
  return text.slice(text.lastIndexOf(")") + 2).split(" ");
}

function listProcesses(): number[] {
  try {
    return readdirSync("/proc").map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
