// `npm run bench:scale`: what lists, searches and writes cost as an instance grows. See README.md.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { type PostgresServer, startPostgres } from "../../server/test/support/databases/postgres.ts";
import { measureCases } from "./measure-cases.ts";
import { prepare } from "./prepare.ts";
import { type Result, writePage } from "./write-page.ts";

interface Options {
  readonly sizes: readonly number[];
  readonly engines: readonly string[];
  readonly repeats: number;
  /** File that is waited for between filling and measuring, because only measuring wants a quiet machine. */
  readonly waitFor: string | undefined;
  readonly isWritten: boolean;
}

function readOptions(): Options {
  const { values } = parseArgs({
    allowNegative: true,
    options: {
      sizes: { type: "string", default: "10000,100000,1000000" },
      engines: { type: "string", default: "sqlite,postgres" },
      repeats: { type: "string", default: "40" },
      "wait-for": { type: "string" },
      write: { type: "boolean", default: true },
    },
  });
  return {
    sizes: values.sizes.split(",").map(Number),
    engines: values.engines.split(","),
    repeats: Number(values.repeats),
    waitFor: values["wait-for"],
    isWritten: values.write,
  };
}

async function main(): Promise<void> {
  const options = readOptions();
  const server = options.engines.includes("postgres") ? await startPostgres({ isDurable: true }) : undefined;
  try {
    const page = writePage(await measureAll(options, server), options.repeats);
    console.log(page);
    if (!options.isWritten) return;
    const folder = join(import.meta.dirname, "../results");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${new Date().toISOString().slice(0, 10)}-scale.md`), page);
  } finally {
    await server?.stop();
  }
}

/** Fills all databases, and then measures one after another, each with its own product. */
async function measureAll({ engines, sizes, repeats, waitFor }: Options, server: PostgresServer | undefined) {
  const prepared = [];
  for (const engine of engines) {
    for (const size of sizes) {
      const each = await prepare(size, engine === "postgres" ? server?.url : undefined);
      const speeds = [each.peopleAlonePerSecond, each.peoplePerSecond].map((speed) => speed.toFixed(0));
      console.log(`${engine} ${size}: ${speeds[0]} people alone, ${speeds[1]} with all of theirs per second`);
      prepared.push({ engine, size, ...each });
    }
  }
  while (waitFor !== undefined && !existsSync(waitFor)) await sleep(500);
  console.log("filled");
  const results: Result[] = [];
  for (const { product, where, ...each } of prepared) {
    await product.resume();
    results.push({ ...each, ...(await measureCases(product, where, each.size, repeats)) });
    console.log(`${each.engine} ${each.size}: measured`);
    await product.stop();
  }
  return results;
}

await main();
