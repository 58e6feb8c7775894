import { readdirSync, readFileSync } from "node:fs";

// Linux counts processor time in hundredths of a second (USER_HZ), on every architecture that we run on.
const ticksPerSecond = 100;

/** Seconds of processor time that a process has used, all its threads together, in user and in system mode. */
export function cpuSeconds(pid: number): number {
  const fields = statOf(pid);
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** The same for all children of a process (the backends of a PostgreSQL server), those that ended too. */
export function cpuSecondsOfChildren(pid: number): number {
  const ended = statOf(pid);
  let ticks = Number(ended[13]) + Number(ended[14]);
  for (const child of childrenOf(pid)) ticks += cpuSeconds(child) * ticksPerSecond;
  return ticks / ticksPerSecond;
}

/** Memory of a process that is in RAM, in MiB. */
export function rssMebibytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

// The name of the program, in brackets, may contain spaces; what follows is counted from the state.
const statOf = (pid: number): string[] => {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8");
  return text.slice(text.lastIndexOf(")") + 2).split(" ");
};

/** Ids of the processes that a process has started and that are still there. */
export function childrenOf(pid: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((candidate) => {
      try {
        return Number(statOf(candidate)[1]) === pid;
      } catch {
        return false;
      }
    });
}
