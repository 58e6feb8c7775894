import type pg from "pg";
import type { Reader } from "../database.ts";
import { toDatabaseError } from "../postgres/errors.ts";
import { appliedIn, connectAtLength } from "../postgres/migrate.ts";
import { toQuery } from "../postgres/statements.ts";
import type { Sql, SqlValue } from "../sql.ts";
import { charactersOf, mostCharacters, mostRows } from "./batches.ts";
import type { Snapshot } from "./snapshot.ts";

// Of which the size is not known yet.
const firstRows = 10;

/** Opens a snapshot of a PostgreSQL database: a transaction that reads the state at its first statement. */
export async function openPostgresSnapshot(url: string): Promise<Snapshot> {
  const client = await connectAtLength(url);
  try {
    await client.query("begin isolation level repeatable read read only");
    const migrations = await appliedIn(client);
    const read = readerOf(client);
    return {
      read,
      migrations,
      rows: (statement) => fetchRows(client, statement),
      lastPosition: async () => {
        const { rows } = await client.query(
          `select coalesce(pg_sequence_last_value(pg_get_serial_sequence('events', 'position')::regclass), 0) as position`,
        );
        return rows[0].position;
      },
      close: () => client.end(),
    };
  } catch (error) {
    await client.end().catch(() => {});
    throw toDatabaseError(error);
  }
}

/** Reads in the open transaction of a connection. */
export function readerOf(client: pg.Client): Reader {
  const all = async <Row>(statement: Sql): Promise<Row[]> => {
    try {
      return (await client.query(toQuery(statement))).rows as Row[];
    } catch (error) {
      throw toDatabaseError(error);
    }
  };
  return { engine: "postgres", all, maybe: async <Row>(statement: Sql) => (await all<Row>(statement))[0] };
}

async function* fetchRows(client: pg.Client, { shape, values }: Sql): AsyncGenerator<SqlValue[][]> {
  try {
    await client.query(`declare exported no scroll cursor for ${shape.postgres}`, values as unknown[]);
    for (let count = firstRows; ; ) {
      const { rows } = await client.query<SqlValue[]>({ text: `fetch ${count} from exported`, rowMode: "array" });
      if (rows.length === 0) break;
      yield rows;
      const characters = rows.reduce((sum, row) => sum + charactersOf(row), 0);
      const fitting = Math.floor((rows.length * mostCharacters) / (characters + 1));
      count = Math.max(1, Math.min(mostRows, fitting, 4 * count));
    }
    await client.query("close exported");
  } catch (error) {
    throw toDatabaseError(error);
  }
}
