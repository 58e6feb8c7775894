import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { MigrationStep } from "./migration-step.ts";
import { convertAddressKeys } from "./migration-steps/address-keys.store.ts";
import { fillApplicationOrigins } from "./migration-steps/application-origins.store.ts";

type Engine = "sqlite" | "postgres";

/** One change of the schema. */
export interface Migration {
  readonly number: number;
  readonly name: string;
  /** SHA-256 of the file. */
  readonly checksum: string;
  /** Reads its statements, translated for an engine. */
  readonly readStatements: (engine: Engine) => string;
  /** Begins what the program does for it. */
  readonly step: (() => MigrationStep) | undefined;
}

/** A migration as recorded in the database. */
export interface AppliedMigration {
  readonly number: number;
  readonly name: string;
  readonly checksum: string;
}

/** Thrown when database and program do not match; the message is a sentence for the operator. */
export class MigrationRefused extends Error {
  override readonly name = "MigrationRefused";
}

/** The directory of the product's migrations. */
export const migrationsDirectory = fileURLToPath(new URL("../../migrations/", import.meta.url));

// Named by a line `-- step: name`.
const steps: Readonly<Record<string, () => MigrationStep>> = {
  address_keys: convertAddressKeys,
  application_origins: fillApplicationOrigins,
};

const fileName = /^(\d{4})_([a-z0-9_]+)\.sql$/;

let own: readonly Migration[] | undefined;

/**
 * Reads the migrations of a directory in the order of their numbers. Those of the product are read once: they do not
 * change while it runs.
 */
export function readMigrations(directory: string): readonly Migration[] {
  if (directory !== migrationsDirectory) return readDirectory(directory);
  own ??= readDirectory(directory);
  return own;
}

function readDirectory(directory: string): readonly Migration[] {
  const migrations = readdirSync(directory)
    .filter((file) => file.endsWith(".sql"))
    .sort()
    .map((file) => {
      const [, number, name] = fileName.exec(file) ?? [];
      if (number === undefined || name === undefined)
        throw new MigrationRefused(`${file} is not named like 0001_events.sql`);
      const path = join(directory, file);
      const text = readText(path);
      const checksum = createHash("sha256").update(text).digest("hex");
      const readStatements = (engine: Engine): string => statementsFor(engine, readText(path));
      return { number: Number(number), name, checksum, readStatements, step: stepOf(text) };
    });
  const twice = migrations.find((each, index) => each.number === migrations[index + 1]?.number);
  if (twice !== undefined) throw new MigrationRefused(`two migrations have the number ${twice.number}`);
  return migrations;
}

const readText = (path: string): string => readFileSync(path, "utf8").replaceAll("\r\n", "\n");

function stepOf(text: string): (() => MigrationStep) | undefined {
  const [, name] = /^-- step: (.*)$/m.exec(text) ?? [];
  const step = name === undefined ? undefined : steps[name];
  if (name !== undefined && step === undefined) throw new MigrationRefused(`this program has no step ${name}`);
  return step;
}

/**
 * Returns the migrations to apply, in order. Refuses a database that is newer than the program, and a migration that
 * was edited later.
 */
export function pendingMigrations(migrations: readonly Migration[], applied: readonly AppliedMigration[]): Migration[] {
  const known = new Map(migrations.map((migration) => [migration.number, migration]));
  for (const { number, name, checksum } of applied) {
    const migration = known.get(number);
    if (migration === undefined) {
      throw new MigrationRefused(
        `the database is newer than this program: it has migration ${number} (${name}), which this version does not know. Start the version that made it, or a later one`,
      );
    }
    if (migration.checksum !== checksum) {
      throw new MigrationRefused(
        `migration ${number} (${name}) was changed after it had been applied to this database. Undo the change, or start with an empty database`,
      );
    }
  }
  const done = new Set(applied.map(({ number }) => number));
  return migrations.filter(({ number }) => !done.has(number));
}

/**
 * Translates a migration for one engine. Lines between `-- engine: sqlite` (or `postgres`) and `-- engine: both` are
 * only for that engine and stay unchanged. Elsewhere the column types are translated. On PostgreSQL text is ordered by
 * bytes and integers have 64 bits, as on SQLite; on SQLite tables are strict, as on PostgreSQL.
 */
export function statementsFor(engine: Engine, text: string): string {
  let reach: Engine | "both" = "both";
  const lines: string[] = [];
  for (const line of text.split("\n")) {
    const marker = /^-- engine: (sqlite|postgres|both)$/.exec(line)?.[1] as Engine | "both" | undefined;
    if (marker !== undefined) reach = marker;
    else if (reach === "both") lines.push(translateLine(engine, line));
    else if (reach === engine) lines.push(line);
  }
  return lines.join("\n");
}

function translateLine(engine: Engine, line: string): string {
  if (/^\s*--/.test(line)) return line;
  if (engine === "sqlite") return line.replace(/^\);$/, ") strict;").replace(/(\w )bigint\b/g, "$1integer");
  return line
    .replace(/(\w )text\b/g, '$1text collate "C"')
    .replace(/(\w )integer\b/g, "$1bigint")
    .replace(/\blower\s*\(/g, "doorward_lower(");
}
