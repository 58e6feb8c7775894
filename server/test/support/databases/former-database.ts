import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseLocation } from "../../../src/database/index.ts";
import { migrationsDirectory } from "../../../src/database/migrations.ts";
import { type Ending, type Engine, makeEmptyPostgres } from "./databases.ts";

/** Makes the location of a database without any table, which is removed after the test. */
export async function makeEmptyLocation(t: Ending, engine: Engine): Promise<DatabaseLocation> {
  return engine === "postgres" ? { url: await makeEmptyPostgres(t) } : { directory: makeDirectory(t) };
}

/** A directory with the migrations before one, which is given by its number: what an earlier version had. */
export function earlierMigrations(t: Ending, number: string): string {
  const directory = makeDirectory(t);
  for (const file of readdirSync(migrationsDirectory)) {
    if (file.endsWith(".sql") && file < number) cpSync(join(migrationsDirectory, file), join(directory, file));
  }
  return directory;
}

function makeDirectory(t: Ending): string {
  const directory = mkdtempSync(join(tmpdir(), "doorward-test-"));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
