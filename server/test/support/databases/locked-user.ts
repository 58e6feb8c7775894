import pg from "pg";
import { type Database, sql } from "../../../src/database/index.ts";
import { postgresUrl } from "./postgres.ts";

/** Which user of an organization, counted from 0 by id. */
export interface LockedUser {
  readonly organizationId: string;
  readonly index: number;
}

/**
 * Keeps the row of a user from being written until the returned function is called, so that what writes the rows of all
 * users stops there. On PostgreSQL, where units of work run side by side; on SQLite there is one writer, and those that
 * wait for it have their turns in order.
 */
export async function lockUser(
  database: Database,
  { organizationId, index }: LockedUser,
): Promise<() => Promise<void>> {
  if (database.engine === "sqlite") return async () => {};
  const user = await database.read.maybe<{ userId: string; database: string }>(sql`
    select user_id as "userId", current_database() as "database" from users
    where organization_id = ${organizationId} order by user_id limit 1 offset ${index}`);
  if (user === undefined) throw new Error(`the organization has no user ${index}`);
  // A connection of its own: units of work of the product may not wait for anything else.
  const url = new URL(await postgresUrl());
  url.pathname = `/${user.database}`;
  const client = new pg.Client(url.href);
  await client.connect();
  await client.query("begin");
  await client.query("select 1 from users where user_id = $1 for update", [user.userId]);
  return () => client.end();
}
