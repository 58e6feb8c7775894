import { DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";

// Copies the write-ahead log into the database file on request. PASSIVE never makes a writer or a reader wait.
const database = new DatabaseSync(String(workerData), { timeout: 5000 });
database.exec("pragma synchronous = normal; pragma wal_autocheckpoint = 0");
const checkpoint = database.prepare("pragma wal_checkpoint(passive)");

parentPort?.on("message", () => {
  try {
    checkpoint.get();
    parentPort?.postMessage({});
  } catch (error) {
    parentPort?.postMessage({ error: String(error) });
  }
});
