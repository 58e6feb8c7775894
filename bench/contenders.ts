import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { hasPostgres, startPostgres } from "../server/test/support/databases/postgres.ts";
import type { BenchOptions, Engine } from "./options.ts";
import { startPeer } from "./peer/start-peer.ts";
import type { ServerProcess } from "./process/server-process.ts";
import { rssMebibytes } from "./process/usage.ts";
import { seedProduct } from "./product/seed.ts";
import { type StartedProduct, startProduct } from "./product/start-product.ts";
import type { Target } from "./scenario/scenario.ts";

/** A server that takes part, running and filled. */
export interface Contender {
  /** `doorward sqlite`, `oidc-provider memory` … */
  readonly name: string;
  readonly pid: number;
  /** The PostgreSQL server behind it; its processor time counts apart. */
  readonly databasePid: number | undefined;
  /** Has its database gather statistics of its tables. */
  readonly analyze: (() => Promise<void>) | undefined;
  readonly target: Target;
  readonly start: StartFigures;
}

/** The time until the first correct answer: elapsed, and of the processor. */
export type Readiness = Pick<ServerProcess, "readyMilliseconds" | "readyCpuMilliseconds">;

interface StartFigures {
  readonly empty: Readiness;
  /** On the data of an earlier start; only the product keeps any. */
  readonly warm: Readiness | undefined;
  /** Memory before the first request. */
  readonly idleMebibytes: number;
}

export interface Contenders {
  readonly all: readonly Contender[];
  stop(): Promise<void>;
}

interface Database {
  readonly pid: number;
  urlOf(name: string): Promise<string>;
  /** Has a database gather statistics. */
  analyze(name: string): Promise<void>;
}

/**
 * Starts every server that takes part: the product on each engine, and oidc-provider in memory and on the same engines.
 */
export async function startContenders(options: BenchOptions): Promise<Contenders> {
  const stops: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    for (const each of stops.reverse()) await each();
  };
  try {
    const database = options.engines.includes("postgres") ? await openDatabase(stops, options) : undefined;
    const all: Contender[] = [];
    for (const engine of options.engines) {
      if (engine === "postgres" && database === undefined) continue;
      all.push(await addProduct({ name: "doorward", engine, checkout: undefined }, database, stops));
      if (engine === "postgres" && options.withFirstDay) {
        const firstDay = await addProduct({ name: "unanalyzed", engine, checkout: undefined }, database, stops);
        all.push({ ...firstDay, analyze: undefined });
      }
      if (options.baseline === undefined) continue;
      all.push(await addProduct({ name: "baseline", engine, checkout: options.baseline }, database, stops));
    }
    if (options.withPeers) {
      for (const adapter of ["memory", ...options.engines] as const) {
        if (adapter === "postgres" && database === undefined) continue;
        all.push(await addPeer(adapter, database, stops));
      }
    }
    return { all, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function openDatabase(
  stops: (() => Promise<void>)[],
  { withStatistics, withFirstDay }: BenchOptions,
): Promise<Database | undefined> {
  if (!hasPostgres()) {
    console.error("PostgreSQL was not found; only SQLite takes part");
    return undefined;
  }
  const settings = withStatistics && !withFirstDay ? [] : ["autovacuum=off"];
  const server = await startPostgres({ isDurable: true, settings });
  stops.push(() => server.stop());
  const urlOf = (name: string): string => server.url.replace("/postgres?", `/${name}?`);
  const ask = async (url: string, text: string): Promise<void> => {
    const client = new pg.Client(url);
    await client.connect();
    await client.query(text);
    await client.end();
  };
  return {
    pid: Number(readFileSync(join(server.directory, "data/postmaster.pid"), "utf8").split("\n")[0]),
    urlOf: async (name) => {
      await ask(server.url, `create database ${name}`);
      return urlOf(name);
    },
    analyze: (name) => ask(urlOf(name), "analyze"),
  };
}

async function addProduct(
  { name, engine, checkout }: { readonly name: string; readonly engine: Engine; readonly checkout: string | undefined },
  database: Database | undefined,
  stops: (() => Promise<void>)[],
): Promise<Contender> {
  const isPostgres = engine === "postgres";
  const options = isPostgres && database ? { databaseUrl: await database.urlOf(name) } : {};
  const product = await startProduct({ ...options, checkout });
  stops.push(() => product.stop());
  const start = await lookAtStart(product);
  const seed = await seedProduct(product.origin, product.ownerToken);
  const host = new URL(product.origin).host;
  return {
    name: `${name} ${engine}`,
    get pid() {
      return product.pid;
    },
    databasePid: isPostgres ? database?.pid : undefined,
    analyze: isPostgres && database ? () => database.analyze(name) : undefined,
    target: { kind: "product", host, port: product.port, seed },
    start,
  };
}

/** Returns the fastest of three warm starts, because others use this machine. */
async function lookAtStart(product: StartedProduct): Promise<StartFigures> {
  const empty = readinessOf(product);
  const warm: Readiness[] = [];
  for (let count = 0; count < 3; count++) {
    await product.restart();
    warm.push(readinessOf(product));
  }
  warm.sort((a, b) => a.readyMilliseconds - b.readyMilliseconds);
  await sleep(2_000);
  return { empty, warm: warm[0], idleMebibytes: rssMebibytes(product.pid) };
}

const readinessOf = ({ readyMilliseconds, readyCpuMilliseconds }: ServerProcess): Readiness => ({
  readyMilliseconds,
  readyCpuMilliseconds,
});

async function addPeer(
  adapter: "memory" | Engine,
  database: Database | undefined,
  stops: (() => Promise<void>)[],
): Promise<Contender> {
  const isPostgres = adapter === "postgres";
  const peer = await startPeer(adapter, isPostgres ? await database?.urlOf("peer") : undefined);
  stops.push(() => peer.stop());
  await sleep(500);
  return {
    name: `oidc-provider ${adapter}`,
    pid: peer.pid,
    databasePid: isPostgres ? database?.pid : undefined,
    analyze: isPostgres && database ? () => database.analyze("peer") : undefined,
    target: { kind: "peer", host: `localhost:${peer.port}`, port: peer.port, seed: peer.seed },
    start: { empty: readinessOf(peer), warm: undefined, idleMebibytes: rssMebibytes(peer.pid) },
  };
}
