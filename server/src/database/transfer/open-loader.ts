import { type DatabaseLocation, directoryOf } from "../location.ts";
import { migrationsDirectory, readMigrations } from "../migrations.ts";
import type { Loader, LoaderOptions } from "./loader.ts";

/**
 * Opens a database for filling, and creates the schema where it is absent. Until it is finished, other processes see
 * an empty database, or wait. Throws what `check` throws, `MigrationRefused`, `DirectoryInUse`, `DatabaseUnavailable`.
 */
export async function openLoader(
  location: DatabaseLocation,
  given: Omit<LoaderOptions, "migrations">,
): Promise<Loader> {
  const options = { ...given, migrations: readMigrations(migrationsDirectory) };
  // No server needs what is loaded here.
  if (location.url === undefined) {
    const { openSqliteLoader } = await import("./sqlite-loader.ts");
    return openSqliteLoader(directoryOf(location), options);
  }
  const { openPostgresLoader } = await import("./postgres-loader.ts");
  return openPostgresLoader(location.url, options);
}

/** Returns the migrations of the program, which every database that is loaded has. */
export function knownMigrations(): readonly {
  readonly number: number;
  readonly name: string;
  readonly checksum: string;
}[] {
  return readMigrations(migrationsDirectory);
}
