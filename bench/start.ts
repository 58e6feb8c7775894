// `npm run bench:start`: what an idle server weighs and how long it takes to start, beside a bare Node.js in the same
// run. See README.md.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { rssMebibytes } from "./process/usage.ts";
import { startProduct } from "./product/start-product.ts";

/** What must hold. Starts are judged by processor time, because the clock also counts what else the machine does. */
const targets = { idleMebibytes: 115, idleToBare: 2.8, startToBare: 30 } as const;
const rounds = 5;
const idleMilliseconds = 5_000;

interface Start {
  readonly milliseconds: number;
  readonly cpuMilliseconds: number;
}

interface Found {
  readonly idleMebibytes: number;
  readonly start: Start;
}

async function measureBare(): Promise<Found> {
  const idle = spawn(process.execPath, ["-e", "setInterval(() => {}, 1e9)"], { stdio: "ignore" });
  await sleep(idleMilliseconds);
  const idleMebibytes = rssMebibytes(idle.pid as number);
  idle.kill();
  await once(idle, "exit");
  return { idleMebibytes, start: fastest(Array.from({ length: rounds }, startBare)) };
}

// An empty program that says at its end what it has used.
function startBare(): Start {
  const program = "const { user, system } = process.cpuUsage(); process.stdout.write(String((user + system) / 1000))";
  const before = performance.now();
  const { stdout } = spawnSync(process.execPath, ["-e", program], { encoding: "utf8" });
  return { milliseconds: performance.now() - before, cpuMilliseconds: Number(stdout) };
}

/** The product on the data of an earlier start, and what it weighs some seconds after its first page. */
async function measureProduct(): Promise<Found> {
  const product = await startProduct();
  try {
    const starts: Start[] = [];
    for (let round = 0; round < rounds; round++) {
      await product.restart();
      starts.push({ milliseconds: product.readyMilliseconds, cpuMilliseconds: product.readyCpuMilliseconds });
    }
    const page = await fetch(`${product.origin}/ui/login`);
    if (page.status !== 200) throw new Error(`the first page answers ${page.status}`);
    await page.text();
    await sleep(idleMilliseconds);
    return { idleMebibytes: rssMebibytes(product.pid), start: fastest(starts) };
  } finally {
    await product.stop();
  }
}

// Others can only add to it.
const fastest = (starts: readonly Start[]): Start => ({
  milliseconds: Math.min(...starts.map(({ milliseconds }) => milliseconds)),
  cpuMilliseconds: Math.min(...starts.map(({ cpuMilliseconds }) => cpuMilliseconds)),
});

const bare = await measureBare();
const product = await measureProduct();
const checks = [
  { what: "idle memory after the first page, MiB", found: product.idleMebibytes, target: targets.idleMebibytes },
  { what: "to bare Node.js", found: product.idleMebibytes / bare.idleMebibytes, target: targets.idleToBare },
  {
    what: "processor time of a start, to that of an empty program",
    found: product.start.cpuMilliseconds / bare.start.cpuMilliseconds,
    target: targets.startToBare,
  },
];
for (const [name, { idleMebibytes, start }] of Object.entries({ "bare Node.js": bare, doorward: product })) {
  const times = `${start.milliseconds.toFixed(0)} ms, ${start.cpuMilliseconds.toFixed(0)} ms of processor time`;
  console.log(`${name}: ${idleMebibytes.toFixed(1)} MiB idle; start ${times}, best of ${rounds}`);
}
for (const { what, found, target } of checks) {
  console.log(`${found <= target ? "ok  " : "MISS"} ${what}: ${found.toFixed(1)} of at most ${target}`);
}
if (checks.some(({ found, target }) => found > target)) process.exitCode = 1;
