import { type DatabaseLocation, directoryOf } from "../location.ts";
import type { Snapshot } from "./snapshot.ts";

/**
 * Opens a snapshot of a database with the schema of the program, also while servers use the database. Statements may
 * take as long as they need.
 */
export async function openSnapshot(location: DatabaseLocation): Promise<Snapshot> {
  // No server needs what is loaded here.
  if (location.url === undefined) {
    const { openSqliteSnapshot } = await import("./sqlite-snapshot.ts");
    return openSqliteSnapshot(directoryOf(location));
  }
  const { openPostgresSnapshot } = await import("./postgres-snapshot.ts");
  return openPostgresSnapshot(location.url);
}
