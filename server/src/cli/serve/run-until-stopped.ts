import cluster from "node:cluster";
import process from "node:process";
import type { Log } from "../../app/log.ts";
import type { App } from "../../app.ts";

/**
 * Announces that the server is ready, and resolves when the process was told to stop and all running work is finished.
 * A second signal ends it immediately. Signals are listened for before the announcement: what reads it may send one at
 * once, which would otherwise end the process in the middle of its work.
 */
export async function runUntilStopped(app: App, log: Log, announce: () => void): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<string>();
  process.once("SIGTERM", resolve);
  process.once("SIGINT", resolve);
  announce();
  const signal = await promise;
  // Ctrl+C reaches a worker twice: from the terminal, and from its supervisor.
  if (cluster.isWorker) for (const again of ["SIGTERM", "SIGINT"]) process.on(again, () => {});
  log.info({ signal }, "stopping: finishing what runs");
  await app.close();
}
