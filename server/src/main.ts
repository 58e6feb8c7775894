import cluster from "node:cluster";
import process from "node:process";
import { runProgram } from "./cli/program.ts";

// A reader such as `head` goes when it has seen enough: that is the end, and no failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit();
});
process.exitCode = await runProgram(process.argv.slice(2));
// Handles shared with the supervising process would keep the worker alive.
if (cluster.isWorker) process.exit();
