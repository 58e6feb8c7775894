import { type Loader, type Reader, type Sql, type SqlValue, sql, text } from "../../database/index.ts";
import type { ExportedTable } from "./tables/exported-tables.ts";

/** An instance that is moved. */
export interface MovedInstance {
  readonly instanceId: string;
  readonly name: string;
}

/** Lists every instance, also those that are being deleted, or the active one that is named. */
export function listMovedInstances(reader: Reader, instanceId: string | undefined): Promise<MovedInstance[]> {
  const isMoved = instanceId === undefined ? text("") : sql`where instance_id = ${instanceId} and state = 'active'`;
  return reader.all<MovedInstance>(sql`select instance_id as "instanceId", name from instances ${isMoved}
    order by created_at, instance_id`);
}

/** Returns the statement that reads the rows of a table: of every instance, or of the one that is named. */
export function selectRows(engine: Reader["engine"], table: ExportedTable, instanceId: string | undefined): Sql {
  if (table.name === "feed_cursors") return selectCursors(engine, instanceId);
  return sql`select ${text(table.columns)} from ${text(table.name)} ${ofInstance(instanceId)}
    order by ${text(table.key)}`;
}

/**
 * Cursors as positions alone: before the first event that was not handled, or at the last event. On PostgreSQL, events
 * behind it may have been handled, if a slow transaction wrote one before them; they are handled again.
 */
function selectCursors(engine: Reader["engine"], instanceId: string | undefined): Sql {
  const isUnhandled =
    engine === "sqlite"
      ? sql`e.position > c.position`
      : sql`(e.transaction_id, e.position) > (c.transaction_id::text::xid8, c.position)`;
  const isMoved = instanceId === undefined ? text("") : sql`and e.instance_id = ${instanceId}`;
  return sql`select c.follower, coalesce((select min(e.position) - 1 from events e where ${isUnhandled} ${isMoved}),
      (select max(e.position) from events e ${ofInstance(instanceId)}), c.position) as "position", c.changed_at
    from feed_cursors c order by c.follower`;
}

/** Counts the rows of a table that `selectRows` reads. */
export async function countRows(reader: Reader, table: ExportedTable, instanceId: string | undefined): Promise<number> {
  const isOfAll = table.name === "feed_cursors";
  const row = await reader.maybe<{ count: number }>(sql`select count(*) as "count" from ${text(table.name)}
    ${ofInstance(isOfAll ? undefined : instanceId)}`);
  return row?.count ?? 0;
}

/** Whether a table has any row. */
export async function hasRows(reader: Reader, table: ExportedTable): Promise<boolean> {
  return (await reader.maybe(sql`select 1 as "found" from ${text(table.name)} limit 1`)) !== undefined;
}

/** Inserts rows with the values of the exported columns. */
export async function insertRows(
  loader: Loader,
  table: ExportedTable,
  rows: readonly (readonly SqlValue[])[],
): Promise<void> {
  const own = ownColumns(loader.engine, table);
  if (own === undefined) return loader.insert(text(table.name), text(table.columns), rows);
  const columns = sql`${text(table.columns)}, ${own.column}`;
  await loader.insert(
    text(table.name),
    columns,
    rows.map((row) => [...row, own.value]),
  );
}

// The transaction that restored events get (`mendRestoredFeed`): older than any of the server, so that their positions
// have the order.
function ownColumns(engine: Loader["engine"], { name }: ExportedTable) {
  if (name === "events") return engine === "postgres" ? { column: text("transaction_id"), value: "1" } : undefined;
  if (name !== "feed_cursors") return undefined;
  return { column: text("transaction_id"), value: engine === "postgres" ? "1" : "0" };
}

const ofInstance = (instanceId: string | undefined): Sql =>
  instanceId === undefined ? text("") : sql`where instance_id = ${instanceId}`;
