// Where the product spends its processor time in a scenario:
// npm run bench:profile -- introspect [--engine postgres] [--seconds 4] [--connections 32] [--top 40] [--file …]
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { startPostgres } from "../server/test/support/databases/postgres.ts";
import { makeLoad } from "./load/make-load.ts";
import { cpuSeconds } from "./process/usage.ts";
import { seedProduct } from "./product/seed.ts";
import { startProduct } from "./product/start-product.ts";
import { readProfile, writeProfile } from "./profile-report.ts";

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      engine: { type: "string", default: "sqlite" },
      seconds: { type: "string", default: "4" },
      connections: { type: "string", default: "32" },
      top: { type: "string", default: "40" },
      file: { type: "string" },
    },
  });
  const directory = mkdtempSync(join(tmpdir(), "doorward-profile-"));
  const file = values.file ?? join(directory, "bench.cpuprofile");
  const database = values.engine === "postgres" ? await startPostgres({ isDurable: true }) : undefined;
  const product = await startProduct({ profile: file, ...(database && { databaseUrl: database.url }) });
  try {
    const seed = await seedProduct(product.origin, product.ownerToken);
    const target = { kind: "product", host: new URL(product.origin).host, port: product.port, seed } as const;
    const order = {
      port: product.port,
      connections: Number(values.connections),
      warmUpSeconds: 1,
      warmUpOperations: 8_000,
      seconds: Number(values.seconds),
      mostPerSecond: 2_500,
    };
    for (const scenario of positionals) {
      let cpu = 0;
      const result = await makeLoad(order, scenario, target, {
        begin: () => {
          process.kill(product.pid, "SIGUSR2");
          cpu = cpuSeconds(product.pid);
        },
        end: () => {
          cpu = cpuSeconds(product.pid) - cpu;
          process.kill(product.pid, "SIGUSR2");
        },
      });
      await sleep(1_000);
      const { operations, seconds } = result;
      const perCall = ((cpu / operations) * 1e6).toFixed(0);
      console.log(
        `${scenario}: ${operations} in ${seconds.toFixed(1)} s, ${perCall} µs of processor each (profiler included)`,
      );
      console.log(writeProfile(readProfile(JSON.parse(readFileSync(file, "utf8")), operations), Number(values.top)));
    }
  } finally {
    await product.stop();
    await database?.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

await main();
