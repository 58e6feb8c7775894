import process from "node:process";

/**
 * CPU time in milliseconds that the work takes in this process, all threads together. Unlike the time on the wall it hardly depends on
 * what else the machine does. For synchronous and asynchronous work; nothing else may run meanwhile.
 */
export async function cpuMilliseconds(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
