// `npm run bench:million`: what each call of the console costs with a million users. See README.md.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type PostgresServer, startPostgres } from "../../server/test/support/databases/postgres.ts";
import { callsOf } from "./calls.ts";
import { amountsOf } from "./instance.ts";
import { type Cost, measureCall, measureUnit } from "./measure.ts";
import { prepare } from "./prepare.ts";

const { values } = parseArgs({
  allowNegative: true,
  options: {
    users: { type: "string", default: "1000000" },
    engines: { type: "string", default: "sqlite,postgres" },
    repeats: { type: "string", default: "20" },
    // Only calls whose name has this part.
    only: { type: "string", default: "" },
    write: { type: "boolean", default: true },
  },
});

/** The longest that a call may take, p95: lists and searches. */
const budgets = { list: 300, search: 150 };

async function main(): Promise<void> {
  const engines = values.engines.split(",");
  const server = engines.includes("postgres") ? await startPostgres({ isDurable: true }) : undefined;
  try {
    const results = new Map<string, readonly Cost[]>();
    for (const engine of engines) results.set(engine, await measureOn(engine === "postgres" ? server : undefined));
    const page = writePage(results);
    console.log(page);
    if (values.write) {
      const name = `${new Date().toISOString().slice(0, 10)}-million.md`;
      writeFileSync(join(import.meta.dirname, "../results", name), page);
    }
  } finally {
    await server?.stop();
  }
}

async function measureOn(server: PostgresServer | undefined): Promise<readonly Cost[]> {
  const amounts = amountsOf(Number(values.users));
  const prepared = await prepare(amounts, { serverUrl: server?.url });
  try {
    const calls = callsOf(prepared.made, amounts).filter(({ name }) => name.includes(values.only));
    const unit = await measureUnit(prepared, { server });
    const costs = [unit];
    for (const call of calls) {
      costs.push(...(await measureCall(prepared, call, { repeats: Number(values.repeats), server, unit })));
    }
    return costs;
  } finally {
    await prepared.product.stop();
  }
}

/** The results as a page in Markdown: a row for each call, and what is above its budget. */
function writePage(results: ReadonlyMap<string, readonly Cost[]>): string {
  const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const all = [...results.values()];
  const names = all[0]?.map(({ name }) => name) ?? [];
  const cell = (cost: Cost | undefined): string =>
    cost === undefined
      ? ""
      : `${cost.p50.toFixed(1)} / ${cost.p95.toFixed(1)} / ${cost.ratio.toFixed(1)} / ${cost.cpu.toFixed(1)}`;
  const slow = [...results].flatMap(([engine, costs]) =>
    costs
      .filter(({ isSearch, p95 }) => p95 > (isSearch ? budgets.search : budgets.list))
      .map(({ name, p95 }) => `- ${engine}: ${name} (p95 ${p95.toFixed(0)} ms)`),
  );
  return [
    `# Calls of the console with ${Number(values.users).toLocaleString("en")} users, ${new Date().toISOString().slice(0, 10)}`,
    "",
    `Milliseconds of ${values.repeats} calls one after another: p50 / p95 / how many times a trivial call / processor time of the server`,
    "and its database.",
    "",
    row(["", ...results.keys()]),
    row(["---", ...[...results.keys()].map(() => "--:")]),
    ...names.map((name) => row([name, ...all.map((costs) => cell(costs.find((each) => each.name === name)))])),
    "",
    slow.length === 0 ? `Nothing is above ${budgets.list} ms (searches: ${budgets.search}).` : "Above their budgets:",
    "",
    ...slow,
    "",
  ].join("\n");
}

await main();
