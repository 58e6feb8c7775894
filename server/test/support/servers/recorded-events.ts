import { sql } from "../../../src/database/index.ts";
import type { TestServer } from "./server.ts";

/** An event as it was recorded. */
export interface RecordedEvent {
  readonly instanceId: string;
  readonly type: string;
  readonly aggregateType: string;
  readonly aggregateId: string;
  readonly sequence: number;
  readonly editorUserId: string | null;
  readonly payload: Readonly<Record<string, unknown>>;
}

/**
 * Every event of a server, in the order of the writes. Read from the table and not from the feed, which on PostgreSQL
 * stays behind every transaction that is open on the database server, those of other tests too.
 */
export async function recordedEvents({ app }: Pick<TestServer, "app">): Promise<RecordedEvent[]> {
  const rows = await app.domain.database.read.all<Omit<RecordedEvent, "payload"> & { readonly payload: string }>(
    sql`select instance_id as "instanceId", type, aggregate_type as "aggregateType", aggregate_id as "aggregateId", sequence,
      editor_user_id as "editorUserId", payload from events order by position`,
  );
  return rows.map((row) => ({ ...row, payload: JSON.parse(row.payload) as RecordedEvent["payload"] }));
}
