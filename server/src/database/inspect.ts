import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Reader } from "./database.ts";
import { type DatabaseLocation, directoryOf } from "./location.ts";
import { sql } from "./sql.ts";
import { Connection } from "./sqlite/connection.ts";
import { SnapshotReader } from "./sqlite/snapshot-reader.ts";
import { databaseFileName } from "./sqlite/sqlite-database.ts";

/** A read-only view of a database. */
export interface Inspection {
  readonly engine: "sqlite" | "postgres";
  /** Version of the engine, as it reports it: `15.14`, `3.50.4`. */
  readonly version: string;
  /** The server's settings that determine durability; empty for the embedded database, whose settings are ours. */
  readonly settings: Readonly<Record<string, string>>;
  readonly read: Reader;
  /** The database's time in milliseconds; undefined for the embedded one, which uses the clock of the machine. */
  now(): Promise<number | undefined>;
  /** Whether an index supports substring search, which requires an extension on PostgreSQL. Needs the schema. */
  searchesInTexts(): Promise<boolean>;
  /** Returns when the newest event was written; undefined without events. Needs the schema. */
  newestEventAt(): Promise<number | undefined>;
  close(): Promise<void>;
}

/**
 * Inspects a database without locking it: works beside a running server, and changes nothing. Returns undefined when
 * there is no file yet.
 */
export async function inspectDatabase(location: DatabaseLocation): Promise<Inspection | undefined> {
  return location.url === undefined ? inspectSqlite(directoryOf(location)) : inspectPostgres(location.url);
}

async function inspectSqlite(directory: string): Promise<Inspection | undefined> {
  const file = join(directory, databaseFileName);
  if (!existsSync(file)) return undefined;
  const read = new SnapshotReader(new Connection(file, { readOnly: true }));
  const row = await read.maybe<{ version: string }>(sql`select sqlite_version() as version`);
  return {
    ...common(read),
    engine: "sqlite",
    version: row?.version ?? "",
    settings: {},
    now: async () => undefined,
    searchesInTexts: async () => true,
    close: async () => {
      read.letGo();
      read.close();
    },
  };
}

async function inspectPostgres(url: string): Promise<Inspection> {
  const { PipelinedReads } = await import("./postgres/pipelined-reads.ts");
  const { clientSettings } = await import("./postgres/settings.ts");
  const read = new PipelinedReads(clientSettings(url), 1);
  try {
    const rows = await read.all<{ name: string; setting: string }>(
      sql`select name, setting from pg_settings where name in ('server_version', 'fsync', 'synchronous_commit',
        'full_page_writes', 'max_connections', 'server_encoding')`,
    );
    const { server_version: version = "", ...settings } = Object.fromEntries(
      rows.map(({ name, setting }) => [name, setting]),
    );
    return {
      ...common(read),
      engine: "postgres",
      version: version.split(" ", 1)[0] ?? version,
      settings,
      now: async () => {
        const row = await read.maybe<{ now: number }>(
          sql`select floor(extract(epoch from clock_timestamp()) * 1000) as now`,
        );
        return row?.now;
      },
      searchesInTexts: async () =>
        (await read.maybe(sql`select 1 as "found" from pg_indexes where indexname = 'users_by_words'`)) !== undefined,
      close: () => read.close(),
    };
  } catch (error) {
    await read.close();
    throw error;
  }
}

const common = (read: Reader): Pick<Inspection, "read" | "newestEventAt"> => ({
  read,
  newestEventAt: async () => {
    const row = await read.maybe<{ newest: number | null }>(sql`select max(created_at) as newest from events`);
    return row?.newest ?? undefined;
  },
});
