import cluster from "node:cluster";
import process from "node:process";
import type { Log } from "../app/log.ts";
import type { App } from "../app.ts";

/** Resolves when the process was told to stop and all running work is finished. A second signal ends it immediately. */
export async function runUntilStopped(app: App, log: Log): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<string>();
  process.once("SIGTERM", resolve);
  process.once("SIGINT", resolve);
  const signal = await promise;
  // Ctrl+C reaches a worker twice: from the terminal, and from its supervisor.
  if (cluster.isWorker) for (const again of ["SIGTERM", "SIGINT"]) process.on(again, () => {});
  log.info({ signal }, "stopping: finishing what runs");
  await app.close();
}
