import type pg from "pg";

/**
 * Repairs the feed after a restore. The feed is ordered by transaction ids, which belong to the server. Events restored
 * into another server may have ids that it has not reached, and would hide new events. In that case all events get one
 * old id, so that their positions order them. Followers are moved before the first event that they had not handled.
 */
export async function mendRestoredFeed(client: pg.Client): Promise<void> {
  const exists = await client.query("select to_regclass('events') as events");
  if (exists.rows[0].events === null) return;
  const ahead = await client.query(
    "select 1 from events where transaction_id >= pg_snapshot_xmax(pg_current_snapshot()) limit 1",
  );
  if (ahead.rowCount === 0) return;
  await client.query("begin");
  await client.query(`update feed_cursors set transaction_id = '1', position = coalesce(
    (select min(position) - 1 from events
      where (events.transaction_id, events.position) > (feed_cursors.transaction_id::xid8, feed_cursors.position)),
    (select max(position) from events))`);
  await client.query("update events set transaction_id = '1'");
  await client.query("commit");
}
