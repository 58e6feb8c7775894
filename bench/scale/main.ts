// `npm run bench:scale`: what lists, searches and writes cost as an instance grows. See README.md.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openDatabase, sql } from "../../server/src/database/index.ts";
import { startPostgres } from "../../server/test/support/postgres.ts";
import { createApi } from "../product/api.ts";
import { type StartedProduct, startProduct } from "../product/start-product.ts";
import { type Case, casesOf } from "./cases.ts";
import { fill, type Where } from "./fill.ts";

interface Options {
  readonly sizes: readonly number[];
  readonly engines: readonly string[];
  readonly repeats: number;
  readonly isWritten: boolean;
}

/** Milliseconds by the clock, of one case at one size. */
interface Times {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

interface Result {
  readonly engine: string;
  readonly size: number;
  readonly peoplePerSecond: number;
  readonly bytesPerPerson: number;
  readonly times: ReadonlyMap<string, Times>;
}

function readOptions(): Options {
  const { values } = parseArgs({
    allowNegative: true,
    options: {
      sizes: { type: "string", default: "10000,100000,1000000" },
      engines: { type: "string", default: "sqlite,postgres" },
      repeats: { type: "string", default: "40" },
      write: { type: "boolean", default: true },
    },
  });
  return {
    sizes: values.sizes.split(",").map(Number),
    engines: values.engines.split(","),
    repeats: Number(values.repeats),
    isWritten: values.write,
  };
}

async function main(): Promise<void> {
  const options = readOptions();
  const results: Result[] = [];
  for (const engine of options.engines) results.push(...(await measureEngine(engine, options)));
  const page = writePage(results, options);
  console.log(page);
  if (!options.isWritten) return;
  const folder = join(import.meta.dirname, "../results");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${new Date().toISOString().slice(0, 10)}-scale.md`), page);
}

async function measureEngine(engine: string, options: Options): Promise<Result[]> {
  const server = engine === "postgres" ? await startPostgres({ isDurable: true }) : undefined;
  const product = await startProduct(server && { databaseUrl: server.url });
  try {
    const where = await makeProject(product);
    const results: Result[] = [];
    let filled = 0;
    for (const size of options.sizes) {
      const grown = await grow(product, where, { from: filled, to: size }, server?.url);
      filled = size;
      results.push({ engine, size, ...grown, times: await measureCases(product, where, size, options.repeats) });
    }
    return results;
  } finally {
    await product.stop();
    await server?.stop();
  }
}

async function makeProject({ origin, ownerToken }: StartedProduct): Promise<Where> {
  const api = createApi(origin, ownerToken);
  const organization = (await api("/v2/organizations/_search", {})).result[0];
  const organizationId = organization.id;
  const service = "/service.project.v2.ProjectService";
  const { projectId } = await api(`${service}/CreateProject`, { organizationId, name: "Bench" });
  for (const roleKey of ["admin", "reader"]) {
    await api(`${service}/AddProjectRole`, { projectId, roleKey, displayName: roleKey });
  }
  return { instanceId: "", organizationId, projectId };
}

/** Fills the database while the server is down, because the embedded one belongs to one process. */
async function grow(
  product: StartedProduct,
  where: Where,
  { from, to }: { readonly from: number; readonly to: number },
  url: string | undefined,
) {
  const figures = { peoplePerSecond: 0, bytesPerPerson: 0 };
  await product.restart(async (directory) => {
    const database = await openDatabase({ ...(url === undefined ? { directory } : { url }), warn: () => {} });
    try {
      const instance = await database.read.maybe<{ id: string }>(sql`select instance_id as "id" from instances`);
      const bytesBefore = await bytesOf(database);
      const started = performance.now();
      await fill(database, { ...where, instanceId: instance?.id ?? "" }, from, to);
      figures.peoplePerSecond = ((to - from) * 1000) / (performance.now() - started);
      await database.touch(
        { instanceId: "bench", requestId: "bench", now: Date.now(), language: "en" },
        async (tx) => void (await tx.run(sql`analyze`)),
      );
      figures.bytesPerPerson = ((await bytesOf(database)) - bytesBefore) / (to - from);
    } finally {
      await database.close();
    }
  });
  return figures;
}

async function bytesOf({ engine, read }: Awaited<ReturnType<typeof openDatabase>>): Promise<number> {
  const statement =
    engine === "sqlite"
      ? sql`select (select page_count from pragma_page_count) * (select page_size from pragma_page_size) as "bytes"`
      : sql`select pg_database_size(current_database()) as "bytes"`;
  return Number((await read.maybe<{ bytes: number }>(statement))?.bytes ?? 0);
}

async function measureCases(product: StartedProduct, where: Where, size: number, repeats: number) {
  const api = createApi(product.origin, product.ownerToken);
  const times = new Map<string, Times>();
  for (const each of [...casesOf(where, size), ...writesOf(where)]) {
    await api(each.path, bodyOf(each));
    const taken: number[] = [];
    for (let count = 0; count < repeats; count++) {
      const body = bodyOf(each);
      const started = performance.now();
      await api(each.path, body);
      taken.push(performance.now() - started);
    }
    times.set(each.name, summarize(taken));
  }
  return times;
}

interface Write extends Omit<Case, "body"> {
  readonly makeBody: () => object;
}

const bodyOf = (each: Case | Write): object => ("makeBody" in each ? each.makeBody() : each.body);

function writesOf({ organizationId }: Where): Write[] {
  let count = Date.now();
  const makeBody = () => ({ organizationId, username: `machine${count++}`, machine: { name: "machine" } });
  return [{ name: "a user is added", path: "/service.user.v2.UserService/CreateUser", makeBody }];
}

function summarize(taken: number[]): Times {
  const sorted = taken.sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

function writePage(results: readonly Result[], { repeats }: Options): string {
  const names = [...new Set(results.flatMap(({ times }) => [...times.keys()]))];
  const head = ["", ...results.map(({ engine, size }) => `${engine} ${size.toLocaleString("en")}`)];
  const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const cell = (times: Times | undefined): string =>
    times === undefined ? "" : [times.p50, times.p95, times.p99].map((value) => value.toFixed(0)).join(" / ");
  return [
    `# Lists and searches as an instance grows, ${new Date().toISOString().slice(0, 10)}`,
    "",
    `Milliseconds, p50 / p95 / p99 of ${repeats} calls one after another, a page of 100, by Connect JSON, caller is an owner of the instance. An`,
    "organization for every 100 people, a role for every tenth, five events for each.",
    "",
    row(head),
    row(head.map((_each, index) => (index === 0 ? "---" : "--:"))),
    row(["people added per second", ...results.map(({ peoplePerSecond }) => peoplePerSecond.toFixed(0))]),
    row(["bytes per person, with all of the above", ...results.map(({ bytesPerPerson }) => bytesPerPerson.toFixed(0))]),
    ...names.map((name) => row([name, ...results.map(({ times }) => cell(times.get(name)))])),
    "",
  ].join("\n");
}

await main();
