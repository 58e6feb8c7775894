import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { type Database, type DatabaseLocation, sql } from "../../../src/database/index.ts";
import { databaseFileName } from "../../../src/database/sqlite/sqlite-database.ts";
import { testCall } from "../../support/operations/call.ts";

/** What the database answers to a write while it is frozen. */
export const frozenMessage = "frozen by the test";

/**
 * Makes a database refuse every write while it is frozen, before it is opened. An allowed call then fails at its first
 * write and leaves everything as it was for the next one; a call that is refused and writes all the same is found out.
 */
export async function makeFreezable({ directory, url }: DatabaseLocation): Promise<void> {
  if (url === undefined) return makeSqliteFreezable(join(directory ?? "", databaseFileName));
  const client = new pg.Client(url);
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      "select tablename as name from pg_tables where schemaname = current_schema()",
    );
    await client.query("create table frozen (is_frozen bigint not null); insert into frozen values (0)");
    await client.query(`create function refuse_when_frozen() returns trigger language plpgsql as
      $$ begin if (select is_frozen from frozen) = 1 then raise exception '${frozenMessage}'; end if; return case tg_op when 'DELETE' then old else new end; end $$`);
    for (const { name } of rows) {
      await client.query(`create trigger frozen before insert or update or delete on ${name}
        for each row execute function refuse_when_frozen()`);
    }
  } finally {
    await client.end();
  }
}

function makeSqliteFreezable(file: string): void {
  const database = new DatabaseSync(file);
  const tables = database
    .prepare("select name from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite_%'")
    .all();
  database.exec("create table frozen (is_frozen integer not null); insert into frozen values (0)");
  for (const { name: column } of tables) {
    const name = String(column);
    for (const write of ["insert", "update", "delete"]) {
      database.exec(`create trigger frozen_${write}_${name} before ${write} on ${name}
        when (select is_frozen from frozen) = 1 begin select raise(abort, '${frozenMessage}'); end`);
    }
  }
  database.close();
}

/** Allows writes again. */
export async function thaw({ directory, url }: DatabaseLocation): Promise<void> {
  const statement = "update frozen set is_frozen = 0";
  if (url === undefined) {
    const database = new DatabaseSync(join(directory ?? "", databaseFileName));
    database.exec(statement);
    database.close();
    return;
  }
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Refuses every write from now on. */
export async function freeze(database: Database): Promise<void> {
  await database.touch(testCall(), (tx) => tx.run(sql`update frozen set is_frozen = 1`));
}
