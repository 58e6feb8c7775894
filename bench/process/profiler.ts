// Loaded into a server with `--import`: the first SIGUSR2 starts a profile of the processor, the second writes it to
// BENCH_PROFILE.
import { writeFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import process from "node:process";

const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.setSamplingInterval", { interval: 200 });
let isRunning = false;

async function toggle(): Promise<void> {
  if (isRunning) {
    const { profile } = await session.post("Profiler.stop");
    writeFileSync(process.env["BENCH_PROFILE"] ?? "bench.cpuprofile", JSON.stringify(profile));
    isRunning = false;
    return;
  }
  await session.post("Profiler.start");
  isRunning = true;
}

process.on("SIGUSR2", () => void toggle());
