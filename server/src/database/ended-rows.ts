import type { Reader, Tx } from "./database.ts";
import { list, type Sql, type SqlValue, sql, text } from "./sql.ts";

/** Rows of any instance that have ended and are to be deleted. */
export interface EndedRows {
  readonly table: Sql;
  /** Which rows have ended. An index should find the next ones. `instance` is what queries inside of it compare. */
  readonly where: (instance: Sql) => Sql;
  /** Rows of another table that go with them, and the column by which both have them in common. */
  readonly parts?: { readonly table: Sql; readonly key: Sql };
}

/** Where rows are in their table, by instance. Only good for a moment: another row may take the place. */
export type Positions = ReadonlyMap<string, readonly SqlValue[]>;

const positionOf = ({ engine }: Reader): Sql => (engine === "sqlite" ? text("rowid") : text("ctid"));

/** Lists rows that have ended, of all instances, at most `limit` and without a lock. */
export async function listEnded(reader: Reader, { table, where }: EndedRows, limit: number): Promise<Positions> {
  const rows = await reader.all<{ instanceId: string; position: SqlValue }>(sql`select instance_id as "instanceId",
      ${positionOf(reader)} as "position" from ${table} where ${where(sql`${table}.instance_id`)} limit ${limit}`);
  const positions = new Map<string, SqlValue[]>();
  for (const { instanceId, position } of rows) {
    const ofInstance = positions.get(instanceId);
    if (ofInstance === undefined) positions.set(instanceId, [position]);
    else ofInstance.push(position);
  }
  return positions;
}

/**
 * Step: deletes those rows of the instance that have ended and were listed, and returns their number. What took the
 * place of a listed row meanwhile is deleted only if it has ended too. On PostgreSQL it skips rows that are locked at
 * this moment, so that several nodes share the work without waiting for each other; a later batch deletes these rows.
 */
export async function deleteEnded(
  tx: Tx,
  { table, where, parts }: EndedRows,
  positions: readonly SqlValue[],
): Promise<number> {
  const position = positionOf(tx);
  // Kept from indexes by the instance, which would read all its rows.
  const ofInstance = sql`(instance_id || '') = ${tx.instanceId}`;
  const ended = sql`${position} in ${list(positions)} and ${ofInstance} and ${where(sql`${tx.instanceId}`)}`;
  if (parts !== undefined) {
    await tx.run(sql`delete from ${parts.table} where instance_id = ${tx.instanceId}
      and ${parts.key} in (select ${parts.key} from ${table} where ${ended})`);
  }
  const hold = tx.engine === "sqlite" ? text("") : text("for update skip locked");
  return tx.run(sql`with batch as (select ${position} as position from ${table} where ${ended} ${hold})
    delete from ${table} where ${position} in (select position from batch) and ${ofInstance}`);
}
