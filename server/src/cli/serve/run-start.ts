import cluster from "node:cluster";
import process from "node:process";
import type { Command } from "commander";
import { createLog } from "../../app/log.ts";
import type { Config } from "../../config/index.ts";
import { answer, readConfig } from "../command-context.ts";
import { releaseMemoryWhenIdle } from "./idle-memory.ts";
import { loadApp } from "./load-app.ts";
import { runUntilStopped } from "./run-until-stopped.ts";
import { superviseWorkers } from "./supervise-workers.ts";
import { letYoungHeapGrow } from "./young-heap.ts";

/** Runs the server for production until it is told to stop: in this process, or in several that share the port. */
export async function runStart(command: Command): Promise<void> {
  const config: Config = {
    ...(await readConfig(command, "start")),
    migrate: command.opts<{ migrate: boolean }>().migrate,
  };
  const log = createLog(config.log);
  const announce = (): void => {
    const json = { ready: true, issuer: config.baseUrl, port: config.port, workers: config.workers };
    answer(command, json, `Doorward is ready at ${config.baseUrl}`);
  };
  if (config.workers > 1 && cluster.isPrimary) {
    const { workers: count, operations } = config;
    return superviseWorkers({ count, log, announce, operations });
  }
  // Not earlier: wrong settings are reported immediately, and the process that supervises workers does not load the
  // server.
  const { startApp } = await loadApp();
  // The supervisor collects the reports of its workers and adds them up.
  const { isWorker } = cluster;
  const app = await startApp(isWorker ? { ...config, operations: undefined } : config, { log });
  if (isWorker) (await import("./worker-reports.ts")).answerSupervisor(app.operations);
  letYoungHeapGrow();
  releaseMemoryWhenIdle();
  const milliseconds = Math.round(performance.now());
  await runUntilStopped(app, log, () => {
    log.info({ port: app.port, issuer: config.baseUrl, milliseconds, processId: process.pid }, "ready");
    if (cluster.isPrimary) announce();
  });
}
