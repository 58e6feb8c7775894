import process from "node:process";
import { after } from "node:test";

// Loaded into every test file. When all its tests are done, the process has to end by itself: a handle that keeps it (a
// server, a pool, a timer) would keep a production process from stopping as well. A minute, because a browser that is told to close takes its time
// where processors are scarce.
const patience = Number(process.env["DOORWARD_TEST_PATIENCE"] ?? 60_000);

after(() => {
  const timer = setTimeout(() => {
    const left = process.getActiveResourcesInfo().filter((name) => name !== "Timeout");
    console.error(`does not end: ${patience} ms after its last test it still holds ${left.join(", ") || "a timer"}`);
    process.exit(1);
  }, patience);
  timer.unref();
});
