import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../../base/clock.ts";
import type { MigrationStep } from "../migration-step.ts";
import { type AppliedMigration, type Migration, pendingMigrations } from "../migrations.ts";
import { Connection } from "./connection.ts";
import { databaseFileName } from "./sqlite-database.ts";

/** Applies the pending migrations, each in its own transaction, so that an interrupted one is rolled back. */
export function migrateSqlite(connection: Connection, migrations: readonly Migration[], clock: Clock): void {
  const { database } = connection;
  database.exec(
    "create table if not exists migrations (number integer primary key, name text not null, checksum text not null, applied_at integer not null) strict",
  );
  for (const migration of pendingMigrations(migrations, appliedToSqlite({ database }))) {
    database.exec("begin immediate");
    try {
      database.exec(migration.readStatements("sqlite"));
      if (migration.step !== undefined) take(connection, migration.step());
      database
        .prepare("insert into migrations (number, name, checksum, applied_at) values (?, ?, ?, ?)")
        .run(migration.number, migration.name, migration.checksum, clock());
      database.exec("commit");
    } catch (error) {
      if (database.isTransaction) database.exec("rollback");
      throw new Error(`migration ${migration.number} (${migration.name}) failed`, { cause: error });
    }
  }
}

function take(connection: Connection, statements: MigrationStep): void {
  for (let next = statements.next(); next.done !== true; ) {
    next = statements.next(connection.execute(next.value).rows as object[]);
  }
}

export function appliedToSqlite({ database }: Pick<Connection, "database">): AppliedMigration[] {
  const exists =
    database.prepare("select 1 from sqlite_schema where type = 'table' and name = 'migrations'").get() !== undefined;
  if (!exists) return [];
  return database
    .prepare("select number, name, checksum from migrations order by number")
    .all() as unknown as AppliedMigration[];
}

/** Reads the applied migrations of a data directory; none when there is no database yet. */
export function appliedToDirectory(directory: string): AppliedMigration[] {
  const file = join(directory, databaseFileName);
  if (!existsSync(file)) return [];
  const connection = new Connection(file, { readOnly: true });
  try {
    return appliedToSqlite(connection);
  } finally {
    connection.close();
  }
}
