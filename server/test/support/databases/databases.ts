import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { describe, type TestContext } from "node:test";
import pg from "pg";
import {
  type Database,
  type DatabaseLocation,
  type DatabaseOptions,
  openDatabase,
} from "../../../src/database/index.ts";
import { directoryOf } from "../../../src/database/location.ts";
import { migrationsDirectory, readMigrations } from "../../../src/database/migrations.ts";
import { databaseFileName } from "../../../src/database/sqlite/sqlite-database.ts";
import { reasonWithoutPostgres } from "./engines.ts";
import { type Administration, dropCopies, takeCopy } from "./kept-postgres.ts";
import { memoryDirectory } from "./memory-directory.ts";
import { postgresUrl } from "./postgres.ts";

export type Engine = "sqlite" | "postgres";

/** What calls hooks when it ends: a test, or the making of a template. */
export type Ending = Pick<TestContext, "after">;

/** A database that others are copied from. */
export type Source =
  | { readonly engine: "sqlite"; readonly file: Buffer }
  | { readonly engine: "postgres"; readonly database: string };

/** Opens an empty database with all migrations, or the one at `at`; it is closed and removed after the test. */
export type OpenDatabase = (
  t: TestContext,
  options?: Partial<DatabaseOptions> & { readonly at?: DatabaseLocation },
) => Promise<Database>;

/**
 * Makes one suite on each engine: `eachEngine((open) => { test("…", async (t) => { const database = await open(t); … })
 * })`.
 */
export function eachEngine(suite: (open: OpenDatabase, engine: Engine) => void): void {
  describe("sqlite", () => suite(opener("sqlite"), "sqlite"));
  onPostgres(() => suite(opener("postgres"), "postgres"));
}

/** A suite for PostgreSQL alone. Without a server it is skipped, and fails under `CI=true`. */
export function onPostgres(suite: (open: OpenDatabase) => void): void {
  describe("postgres", { skip: reasonWithoutPostgres() }, () => suite(opener("postgres")));
}

/** Makes the location of a database that is a copy: of `source`, or of the one with all migrations and no rows. */
export async function makeLocation(t: Ending, engine: Engine, source?: Source): Promise<DatabaseLocation> {
  const copied = source ?? (await migrated(engine));
  if (copied.engine === "postgres") {
    const { name, giveBack } = await takeCopy(administration, copied.database);
    const location = { url: withDatabase(await postgresUrl(), name) };
    t.after(async () => {
      await vacate(location);
      if (!sources.has(name)) await giveBack();
    });
    return location;
  }
  const location = { directory: mkdtempSync(join(memoryDirectory() ?? tmpdir(), "doorward-test-")) };
  writeFileSync(join(location.directory, databaseFileName), copied.file, { mode: 0o600 });
  t.after(async () => {
    await vacate(location);
    rmSync(location.directory, { recursive: true, force: true });
  });
  return location;
}

/** Makes a source of that name of the database at a location that `makeLocation` made, after closing its occupants. */
export async function takeSource(location: DatabaseLocation, name: string): Promise<Source> {
  await vacate(location);
  if (location.url === undefined) {
    return { engine: "sqlite", file: readFileSync(join(directoryOf(location), databaseFileName)) };
  }
  await dropDatabase(name);
  const copied = databaseOf(location.url);
  await administer(`alter database ${copied} rename to ${name}`);
  sources.add(copied);
  return { engine: "postgres", database: name };
}

// Former names of databases that became sources.
const sources = new Set<string>();

const occupants = new WeakMap<DatabaseLocation, (() => Promise<void>)[]>();

/**
 * Declares that a database at a location is in use until `close` resolves. Hooks run in the order in which they were
 * added, so the database would otherwise be removed before its later users have closed it.
 */
export function occupy(location: DatabaseLocation, close: () => Promise<void>): void {
  occupants.set(location, [...(occupants.get(location) ?? []), close]);
}

async function vacate(location: DatabaseLocation): Promise<void> {
  for (const close of occupants.get(location) ?? []) await close();
}

/** An empty PostgreSQL database without any table; it is dropped after the test. */
export async function makeEmptyPostgres(t: Ending): Promise<string> {
  const name = freshName();
  await administer(`create database ${name} template template0`);
  const url = withDatabase(await postgresUrl(), name);
  t.after(() => dropDatabase(name));
  return url;
}

function opener(engine: Engine): OpenDatabase {
  return async (t, { at, ...options } = {}) => {
    const location = at ?? (await makeLocation(t, engine));
    const database = await openDatabase({ warn: failOnWarning, ...location, ...options });
    // Hooks run in the order in which they were added: the database is removed first, and waits for its occupants.
    let closing: Promise<void> | undefined;
    const close = (): Promise<void> => (closing ??= database.close());
    occupy(location, close);
    t.after(close);
    return database;
  };
}

// What the product would only log is an error in a test, except for server settings, which tests choose for speed.
function failOnWarning(message: string, details?: Readonly<Record<string, unknown>>): void {
  if (details?.["setting"] === undefined) throw new Error(message, { cause: details });
}

const migratedSources = new Map<Engine, Promise<Source>>();

function migrated(engine: Engine): Promise<Source> {
  const source = migratedSources.get(engine) ?? (engine === "postgres" ? migratePostgres() : migrateSqlite());
  migratedSources.set(engine, source);
  return source;
}

/** The database for the migrations as they are now; whichever process needs it first makes it. */
async function migratePostgres(): Promise<Source> {
  const migrations = readMigrations(migrationsDirectory);
  const database = `doorward_template_${digest(migrations.map(({ checksum }) => checksum).join())}`;
  const base = await postgresUrl();
  await oneAtATime(async () => {
    if (await hasDatabase(database)) return;
    const unfinished = `${database}_unfinished`;
    await dropDatabase(unfinished);
    await administer(`create database ${unfinished} template template0`);
    const opened = await openDatabase({ url: withDatabase(base, unfinished), warn: () => {} });
    await opened.close();
    await administer(`alter database ${unfinished} rename to ${database}`);
  });
  return { engine: "postgres", database };
}

/** The database for the migrations as they are now; the first process of a run makes it for all. */
async function migrateSqlite(): Promise<Source> {
  const shared = process.env["DOORWARD_TEST_TEMPLATES"];
  const kept = shared ? join(shared, databaseFileName) : undefined;
  if (kept !== undefined && existsSync(kept)) return { engine: "sqlite", file: readFileSync(kept) };
  const directory = mkdtempSync(join(memoryDirectory() ?? tmpdir(), "doorward-test-"));
  try {
    const database = await openDatabase({ directory, warn: failOnWarning });
    await database.close();
    const file = readFileSync(join(directory, databaseFileName));
    if (kept !== undefined) {
      // All at once, so that no other process reads a part of it.
      writeFileSync(`${kept}.${process.pid}`, file, { mode: 0o600 });
      renameSync(`${kept}.${process.pid}`, kept);
    }
    return { engine: "sqlite", file };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** Sixteen characters that stand for a text. */
export const digest = (value: string): string => createHash("sha256").update(value).digest("hex").slice(0, 16);

let count = 0;

const freshName = (): string => `doorward_test_${process.pid}_${++count}`;

function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}

const databaseOf = (url: string): string => new URL(url).pathname.slice(1);

async function dropDatabase(name: string): Promise<void> {
  await administer(`drop database if exists ${name} with (force)`);
}

/** Drops a source when the process has nothing left to do: a shared server would keep it. */
export function dropAtEnd(source: Source): void {
  if (source.engine === "sqlite") return;
  process.once("beforeExit", () => void dropWhileReferenced(source.database));
}

async function dropWhileReferenced(name: string): Promise<void> {
  const client = (await administrator) as unknown as { ref(): void; unref(): void } | undefined;
  client?.ref();
  await dropDatabase(name);
  client?.unref();
}

process.once("beforeExit", () => void dropCopies(administration));

/** Whether the PostgreSQL server has a database of that name. */
export async function hasDatabase(name: string): Promise<boolean> {
  return (await administer(`select 1 from pg_database where datname = '${name}'`)).rowCount !== 0;
}

/** Makes processes that share the PostgreSQL server wait for each other. */
export async function oneAtATime<Result>(work: () => Promise<Result>): Promise<Result> {
  await administer("select pg_advisory_lock(7237954)");
  try {
    return await work();
  } finally {
    await administer("select pg_advisory_unlock(7237954)");
  }
}

const administration: Administration = {
  run: administer,
  addressOf: async (name) => withDatabase(await postgresUrl(), name),
};

let administrator: Promise<pg.Client> | undefined;

/** One connection for all databases that this process makes; it does not keep the process alive. */
async function administer(statement: string): Promise<pg.QueryResult> {
  administrator ??= connectAdministrator();
  return (await administrator).query(statement);
}

async function connectAdministrator(): Promise<pg.Client> {
  const client = new pg.Client(await postgresUrl());
  await client.connect();
  (client as unknown as { unref(): void }).unref();
  return client;
}
