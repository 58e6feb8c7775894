// `npm run bench:bytes`: how much the database grows with each thing that it is told of. See README.md.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Database, openDatabase, type Sql, sql, text } from "../server/src/database/index.ts";
import { hasPostgres, startPostgres } from "../server/test/support/databases/postgres.ts";
import { Connection } from "./load/connection.ts";
import { writeRequest } from "./load/request.ts";
import { createPreparation, type Preparation } from "./load/work.ts";
import { createApi } from "./product/api.ts";
import { type ProductSeed, seedProduct } from "./product/seed.ts";
import { type StartedProduct, startProduct } from "./product/start-product.ts";
import { clientCredentials, rest, userTokens, type Write } from "./scenario/product-requests.ts";

/** Something that the product is asked to do, so many times at once. */
interface Step {
  readonly name: string;
  readonly work: (count: number) => Promise<unknown>;
}

interface Growth {
  readonly engine: string;
  readonly name: string;
  /** Bytes of all tables with their indexes, for each. */
  readonly bytes: number;
  /** Events for each, and what they are of the bytes. */
  readonly events: number;
  readonly bytesOfEvents: number;
}

const engineOf = (url: string | undefined): string => (url === undefined ? "sqlite" : "postgres");

async function main(): Promise<void> {
  const { values } = parseArgs({
    allowNegative: true,
    options: { count: { type: "string", default: "2000" }, write: { type: "boolean", default: true } },
  });
  const growths = await measure(Number(values.count), undefined);
  if (hasPostgres()) {
    const server = await startPostgres({ isDurable: true });
    try {
      growths.push(...(await measure(Number(values.count), server.url)));
    } finally {
      await server.stop();
    }
  }
  const page = writePage(growths, Number(values.count));
  console.log(page);
  if (!values.write) return;
  const folder = join(import.meta.dirname, "results");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${new Date().toISOString().slice(0, 10)}-bytes.md`), page);
}

async function measure(count: number, url: string | undefined): Promise<Growth[]> {
  const product = await startProduct(url === undefined ? {} : { databaseUrl: url });
  try {
    const seed = await seedProduct(product.origin, product.ownerToken);
    const growths: Growth[] = [];
    let before = await look(product, url);
    for (const { name, work } of stepsOf(product, seed)) {
      await work(count);
      const after = await look(product, url);
      growths.push({
        engine: engineOf(url),
        name,
        bytes: (after.bytes - before.bytes) / count,
        events: (after.events - before.events) / count,
        bytesOfEvents: (after.bytesOfEvents - before.bytesOfEvents) / count,
      });
      before = after;
    }
    return growths;
  } finally {
    await product.stop();
  }
}

function stepsOf(product: StartedProduct, seed: ProductSeed): Step[] {
  const api = createApi(product.origin, product.ownerToken);
  const write: Write = (parts) => writeRequest(new URL(product.origin).host, parts);
  const over = (work: (preparation: Preparation, count: number) => Promise<unknown>) => async (count: number) => {
    const connections = Array.from({ length: 8 }, () => new Connection(product.port));
    await work(createPreparation(connections, { connections: connections.length, operations: count }), count);
    for (const connection of connections) connection.close();
  };
  const many = (make: (index: number) => Parameters<Write>[0]) =>
    over((preparation, count) => preparation.many(count, (index) => preparation.send(write(make(index)))));
  return [
    {
      name: "a person",
      work: async (count) => {
        const organizationId = (await api("/v2/organizations/_search", {})).result[0].id;
        await many((index) =>
          rest("/v2/users/new", seed.ownerToken, {
            organizationId,
            username: `measured${index}`,
            human: {
              profile: { givenName: "Grace", familyName: `Measured ${index}` },
              email: { email: `measured${index}@example.com`, isVerified: true },
            },
          }),
        )(count);
      },
    },
    {
      name: "a session",
      work: many(() => rest("/v2/sessions", seed.ownerToken, { checks: { user: { userId: seed.user.userId } } })),
    },
    {
      name: "a sign-in: request, code, tokens with a refresh token",
      work: over((preparation, count) => userTokens(seed, write, preparation, count)),
    },
    { name: "an opaque token of a service account", work: many(() => clientCredentials(seed.machine.basic, "openid")) },
  ];
}

/** Sizes while the server is down, with what it had in memory written out. */
async function look(product: StartedProduct, url: string | undefined) {
  const sizes = { bytes: 0, events: 0, bytesOfEvents: 0 };
  await product.restart(async (directory) => {
    const database = await openDatabase({ ...(url === undefined ? { directory } : { url }), warn: () => {} });
    try {
      sizes.bytes = await ask(database, isSqlite(database) ? allOfSqlite : allOfPostgres);
      sizes.bytesOfEvents = await ask(database, isSqlite(database) ? eventsOfSqlite : eventsOfPostgres);
      sizes.events = await ask(database, sql`select count(*) as "number" from events`);
    } finally {
      await database.close();
    }
  });
  return sizes;
}

const isSqlite = ({ engine }: Database): boolean => engine === "sqlite";

const ask = async ({ read }: Database, statement: Sql): Promise<number> =>
  Number((await read.maybe<{ number: number }>(statement))?.number ?? 0);

const allOfSqlite = text(`select sum(pgsize) as "number" from dbstat`);
const eventsOfSqlite = text(`select sum(pgsize) as "number" from dbstat
  where name in (select name from sqlite_schema where tbl_name = 'events')`);
const allOfPostgres = text(`select sum(pg_total_relation_size(c.oid)) as "number" from pg_class c
  where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace`);
const eventsOfPostgres = text(`select pg_total_relation_size('events') as "number"`);

function writePage(growths: readonly Growth[], count: number): string {
  const names = [...new Set(growths.map(({ name }) => name))];
  const cells = (name: string): string[] =>
    ["sqlite", "postgres"].flatMap((engine) => {
      const growth = growths.find((each) => each.engine === engine && each.name === name);
      if (growth === undefined) return ["", ""];
      const { bytes, events, bytesOfEvents } = growth;
      return [bytes.toFixed(0), `${events.toFixed(1)} of ${(bytesOfEvents / Math.max(events, 1)).toFixed(0)}`];
    });
  const row = (values: readonly string[]): string => `| ${values.join(" | ")} |`;
  return [
    `# Bytes that the database grows by, ${new Date().toISOString().slice(0, 10)}`,
    "",
    `Tables with their indexes, mean of ${count} of each over the API, the log of writes not counted. Events are the history, which stays; the rest goes`,
    "with what it belongs to, or when it has expired.",
    "",
    row(["", "SQLite, bytes", "events of bytes", "PostgreSQL, bytes", "events of bytes"]),
    row(["---", "--:", "--:", "--:", "--:"]),
    ...names.map((name) => row([name, ...cells(name)])),
    "",
  ].join("\n");
}

await main();
