import { parentPort, workerData } from "node:worker_threads";
import { DatabaseUnavailable } from "../database.ts";
import type { SqlValue } from "../sql.ts";
import { Connection } from "./connection.ts";

// Reads statements one after another, each from the newest state of the database.
const connection = new Connection(String(workerData), { readOnly: true });

interface Question {
  readonly id: number;
  readonly text: string;
  readonly values: readonly SqlValue[];
}

parentPort?.postMessage("ready");
parentPort?.on("message", ({ id, text, values }: Question) => {
  const started = performance.now();
  try {
    const rows = connection.query(text, values);
    parentPort?.postMessage({ id, rows, milliseconds: performance.now() - started });
  } catch (error) {
    const isUnavailable = error instanceof DatabaseUnavailable;
    const milliseconds = performance.now() - started;
    parentPort?.postMessage({ id, milliseconds, error: { message: String(error), isUnavailable } });
  }
});
