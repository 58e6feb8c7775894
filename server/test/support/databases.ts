import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { describe, type TestContext, test } from "node:test";
import pg from "pg";
import { type Database, type DatabaseLocation, type DatabaseOptions, openDatabase } from "../../src/database/index.ts";
import { migrationsDirectory, readMigrations } from "../../src/database/migrations.ts";
import { databaseFileName } from "../../src/database/sqlite/sqlite-database.ts";
import { hasPostgres, howToEnable, postgresUrl } from "./postgres.ts";

type Engine = "sqlite" | "postgres";

/** Opens an empty database with all migrations, or the one at `at`; it is closed and removed after the test. */
export type OpenDatabase = (
  t: TestContext,
  options?: Partial<DatabaseOptions> & { readonly at?: DatabaseLocation },
) => Promise<Database>;

/** Makes one suite on each engine: `eachEngine((open) => { test("…", async (t) => { const database = await open(t); … }) })`. */
export function eachEngine(suite: (open: OpenDatabase, engine: Engine) => void): void {
  describe("sqlite", () => suite(opener("sqlite"), "sqlite"));
  onPostgres(() => suite(opener("postgres"), "postgres"));
}

/** A suite for PostgreSQL alone. Without a server it is skipped, and fails under `CI=true`. */
export function onPostgres(suite: (open: OpenDatabase) => void): void {
  const isMissing = !hasPostgres();
  if (isMissing && process.env["CI"] === "true") {
    test("postgres", () => {
      throw new Error(`PostgreSQL is missing: ${howToEnable}`);
    });
    return;
  }
  describe("postgres", { skip: isMissing && `PostgreSQL is missing: ${howToEnable}` }, () => suite(opener("postgres")));
}

/** A place for a database that was cloned from a template with all migrations. */
export async function makePlace(t: TestContext, engine: Engine): Promise<DatabaseLocation> {
  if (engine === "postgres") {
    const url = await cloneTemplate();
    const place = { url };
    t.after(async () => {
      await vacate(place);
      await dropDatabase(url);
    });
    return place;
  }
  const place = { directory: mkdtempSync(join(tmpdir(), "doorward-test-")) };
  sqliteTemplate ??= makeSqliteTemplate();
  writeFileSync(join(place.directory, databaseFileName), await sqliteTemplate, { mode: 0o600 });
  t.after(async () => {
    await vacate(place);
    rmSync(place.directory, { recursive: true, force: true });
  });
  return place;
}

const occupants = new WeakMap<DatabaseLocation, (() => Promise<void>)[]>();

/**
 * Says that something lives at a place until `close` resolves. Hooks run in the order in which they were added, so the place would
 * otherwise be taken away before those who came to it later are gone.
 */
export function occupy(place: DatabaseLocation, close: () => Promise<void>): void {
  occupants.set(place, [...(occupants.get(place) ?? []), close]);
}

async function vacate(place: DatabaseLocation): Promise<void> {
  for (const close of occupants.get(place) ?? []) await close();
}

/** An empty PostgreSQL database without any table; it is dropped after the test. */
export async function makeEmptyPostgres(t: TestContext): Promise<string> {
  const name = freshName();
  await administer(`create database ${name} template template0`);
  const url = withDatabase(await postgresUrl(), name);
  t.after(() => dropDatabase(url));
  return url;
}

function opener(engine: Engine): OpenDatabase {
  return async (t, { at, ...options } = {}) => {
    const place = at ?? (await makePlace(t, engine));
    const database = await openDatabase({ warn: failOnWarning, ...place, ...options });
    // Hooks run in the order in which they were added, and a place can only be removed when nobody is in it.
    t.after(() => database.close());
    return database;
  };
}

// What the product would only log is a mistake in a test, but for the server's settings, which tests choose for speed.
function failOnWarning(message: string, details?: Readonly<Record<string, unknown>>): void {
  if (details?.["setting"] === undefined) throw new Error(message, { cause: details });
}

let template: Promise<string> | undefined;
let count = 0;

async function cloneTemplate(): Promise<string> {
  template ??= makeTemplate();
  const name = freshName();
  await administer(`create database ${name} template ${await template}`);
  return withDatabase(await postgresUrl(), name);
}

/** The template for the migrations as they are now; whichever process needs it first makes it. */
async function makeTemplate(): Promise<string> {
  const migrations = readMigrations(migrationsDirectory, "postgres");
  const state = createHash("sha256")
    .update(migrations.map(({ checksum }) => checksum).join())
    .digest("hex")
    .slice(0, 16);
  const name = `doorward_template_${state}`;
  const base = await postgresUrl();
  await administer("select pg_advisory_lock(7237954)");
  try {
    const existing = await administer(`select 1 from pg_database where datname = '${name}'`);
    if (existing.rowCount !== 0) return name;
    const unfinished = `${name}_unfinished`;
    await administer(`drop database if exists ${unfinished} with (force)`);
    await administer(`create database ${unfinished} template template0`);
    const database = await openDatabase({ url: withDatabase(base, unfinished), warn: () => {} });
    await database.close();
    await administer(`alter database ${unfinished} rename to ${name}`);
  } finally {
    await administer("select pg_advisory_unlock(7237954)");
  }
  return name;
}

let sqliteTemplate: Promise<Buffer> | undefined;

async function makeSqliteTemplate(): Promise<Buffer> {
  const directory = mkdtempSync(join(tmpdir(), "doorward-test-"));
  try {
    const database = await openDatabase({ directory, warn: failOnWarning });
    await database.close();
    return readFileSync(join(directory, databaseFileName));
  } finally {
    rmSync(directory, { recursive: true });
  }
}

const freshName = (): string => `doorward_test_${process.pid}_${++count}`;

function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}

async function dropDatabase(url: string): Promise<void> {
  await administer(`drop database if exists ${new URL(url).pathname.slice(1)} with (force)`);
}

let administrator: Promise<pg.Client> | undefined;

/** One connection for all databases that this process makes; it does not keep the process. */
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
