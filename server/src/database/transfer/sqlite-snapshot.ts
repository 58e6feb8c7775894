import { join } from "node:path";
import type { SQLInputValue } from "node:sqlite";
import { type Sql, type SqlValue, sql } from "../sql.ts";
import { Connection } from "../sqlite/connection.ts";
import { toDatabaseError } from "../sqlite/errors.ts";
import { appliedToSqlite } from "../sqlite/migrate.ts";
import { SnapshotReader } from "../sqlite/snapshot-reader.ts";
import { databaseFileName } from "../sqlite/sqlite-database.ts";
import { charactersOf, mostCharacters, mostRows } from "./batches.ts";
import type { Snapshot } from "./snapshot.ts";

/** Opens a snapshot of the embedded database of a directory. Meanwhile its log grows, as with any long read. */
export async function openSqliteSnapshot(directory: string): Promise<Snapshot> {
  const connection = new Connection(join(directory, databaseFileName), { readOnly: true });
  // Every read belongs to the transaction that the first one begins.
  const read = new SnapshotReader(connection);
  read.hold();
  return {
    read,
    migrations: appliedToSqlite(connection),
    rows: (statement) => iterate(connection, statement),
    lastPosition: async () => {
      const row = await read.maybe<{ position: number }>(
        sql`select seq as "position" from sqlite_sequence where name = 'events'`,
      );
      return row?.position ?? 0;
    },
    close: async () => connection.close(),
  };
}

async function* iterate({ database }: Connection, statement: Sql): AsyncGenerator<SqlValue[][]> {
  try {
    const prepared = database.prepare(statement.shape.sqlite);
    prepared.setReturnArrays(true);
    let batch: SqlValue[][] = [];
    let characters = 0;
    for (const row of prepared.iterate(...(statement.values as SQLInputValue[]))) {
      const values = row as unknown as SqlValue[];
      batch.push(values);
      characters += charactersOf(values);
      if (batch.length < mostRows && characters < mostCharacters) continue;
      yield batch;
      batch = [];
      characters = 0;
    }
    if (batch.length > 0) yield batch;
  } catch (error) {
    throw toDatabaseError(database, error);
  }
}
