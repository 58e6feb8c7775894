import { type Clock, systemClock } from "../base/clock.ts";
import type { Database, Warn } from "./database.ts";
import { type DatabaseLocation, directoryOf } from "./location.ts";
import {
  type Migration,
  MigrationRefused,
  migrationsDirectory,
  pendingMigrations,
  readMigrations,
} from "./migrations.ts";
import { appliedToDirectory, appliedToSqlite, migrateSqlite } from "./sqlite/migrate.ts";
import { openSqlite } from "./sqlite/sqlite-database.ts";

export interface DatabaseOptions extends DatabaseLocation {
  /** Which event types are announced to other nodes (PostgreSQL): those that make a cache stale. Without it, all. */
  readonly announces?: (eventType: string) => boolean;
  readonly warn: Warn;
  /** Whether settings that are read are raised to the strict profile (`Reader.isStrict`). */
  readonly isStrict?: boolean;
  /** `apply` brings the schema up to date first; `require` refuses an outdated database. */
  readonly migrations?: "apply" | "require";
  readonly migrationsDirectory?: string;
  readonly clock?: Clock;
  /** How long one statement of a list may take, in milliseconds. */
  readonly longestRead?: number;
}

/**
 * Opens the configured database, with its schema up to date.
 * Throws `MigrationRefused`, `DirectoryInUse`, `DatabaseUnavailable`.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { warn, clock = systemClock, announces = () => true, longestRead } = options;
  const migrations = readMigrations(options.migrationsDirectory ?? migrationsDirectory);
  const isApplying = options.migrations !== "require";
  if (options.url !== undefined) {
    const { appliedToPostgres, migratePostgres } = await loadPostgresMigrations();
    const { openPostgres } = await import("./postgres/postgres-database.ts");
    if (isApplying) await migratePostgres(options.url, migrations, clock);
    else refusePending(pendingMigrations(migrations, await appliedToPostgres(options.url)));
    return openPostgres(options.url, { warn, announces, isStrict: options.isStrict, longestRead });
  }
  return openSqlite(directoryOf(options), {
    warn,
    isStrict: options.isStrict,
    longestRead,
    migrate: (writer) => {
      if (isApplying) migrateSqlite(writer, migrations, clock);
      else refusePending(pendingMigrations(migrations, appliedToSqlite(writer)));
    },
  });
}

// Installations with the embedded database never load the PostgreSQL client.
const loadPostgresMigrations = () => import("./postgres/migrate.ts");

function refusePending(pending: readonly Migration[]): void {
  if (pending.length === 0) return;
  const names = pending.map(({ number, name }) => `${number} (${name})`).join(", ");
  throw new MigrationRefused(`the database is older than this program: run \`doorward migrate\` to apply ${names}`);
}

/** Returns what `openDatabase` would apply, without changing anything. Works beside a running server. */
export async function planMigrations(
  options: DatabaseLocation & { readonly migrationsDirectory?: string },
): Promise<{ readonly number: number; readonly name: string }[]> {
  const migrations = readMigrations(options.migrationsDirectory ?? migrationsDirectory);
  const applied =
    options.url === undefined
      ? appliedToDirectory(directoryOf(options))
      : await (await loadPostgresMigrations()).appliedToPostgres(options.url);
  return pendingMigrations(migrations, applied).map(({ number, name }) => ({ number, name }));
}
