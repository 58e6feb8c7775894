import type { NewEvent, Tx } from "./database.ts";
import { join, type Sql, sql } from "./sql.ts";

// Texts of at most so many rows are kept (`join`), with the statements that were prepared of them.
const rowsPerStatement = 64;

/** Returns the statements that write the events of a unit of work, in the order in which they were recorded. */
export function insertEvents(tx: Pick<Tx, "call" | "instanceId" | "now">, events: readonly NewEvent[]): Sql[] {
  const statements: Sql[] = [];
  for (let start = 0; start < events.length; start += rowsPerStatement) {
    const rows = events.slice(start, start + rowsPerStatement).map((event) => eventRow(tx, event));
    const [only] = rows;
    const values = only !== undefined && rows.length === 1 ? only : join(rows, ", ");
    statements.push(sql`insert into events (instance_id, aggregate_type, aggregate_id, sequence, type, owner_id, payload,
      editor_user_id, editor_client_id, request_id, created_at, source) values ${values}`);
  }
  return statements;
}

function eventRow({ call, instanceId, now }: Pick<Tx, "call" | "instanceId" | "now">, event: NewEvent): Sql {
  return sql`(${instanceId}, ${event.aggregateType}, ${event.aggregateId}, ${event.sequence}, ${event.type}, ${event.ownerId},
    ${JSON.stringify(event.payload ?? {})}, ${call.caller?.userId}, ${call.caller?.clientId}, ${call.requestId}, ${now}, ${call.source})`;
}
