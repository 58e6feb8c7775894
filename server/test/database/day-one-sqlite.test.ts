import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { openDatabase, type Sql } from "../../src/database/index.ts";
import { Connection } from "../../src/database/sqlite/connection.ts";
import { databaseFileName } from "../../src/database/sqlite/sqlite-database.ts";
import { noteStatements } from "../support/databases/noted-statements.ts";
import { startOidcServer } from "../support/oidc/oidc.ts";
import { prepareWalk, walk } from "./day-one/walk.ts";

test("plans of the embedded database are the same after a start, whatever an analyze left in it", async (t) => {
  const server = await startOidcServer(t);
  // Their statements are for all instances.
  await server.app.jobs.stop();
  const walkers = await prepareWalk(server);
  const noted = new Map<string, Sql>();
  noteStatements(server.app.domain.database, (statement) => void noted.set(statement.shape.sqlite, statement));
  await walk(server, walkers);
  await server.app.close();
  const directory = server.location.directory ?? "";
  const file = join(directory, databaseFileName);
  const start = async (): Promise<void> => {
    const database = await openDatabase({ directory, warn: (message) => assert.fail(message) });
    await database.close();
  };

  const plain = plansIn(file, noted);
  assert.ok(plain.size > 100, `${plain.size} statements`);
  define(file, "analyze");
  assert.notDeepEqual(plansIn(file, noted), plain, "statistics change no plan any more");
  await start();
  assert.deepEqual(plansIn(file, noted), plain, "analysed while the tables were small");
  define(file, "analyze; update sqlite_stat1 set stat = replace(stat, ' ', '000 ')");
  await start();
  assert.deepEqual(plansIn(file, noted), plain, "statistics of another time");
  define(file, "drop index users_by_login_name_key");
  assert.notDeepEqual(plansIn(file, noted), plain, "an index is missing, and nothing tells");
});

/** Returns the steps of each statement, as a new connection plans it. */
function plansIn(file: string, noted: ReadonlyMap<string, Sql>): Map<string, string[]> {
  const connection = new Connection(file, { readOnly: true });
  try {
    const steps = (text: string, { values }: Sql): string[] =>
      connection.database
        .prepare(`explain query plan ${text}`)
        .all(...values)
        .map(({ detail }) => String(detail));
    return new Map([...noted].map(([text, statement]) => [text, steps(text, statement)]));
  } finally {
    connection.close();
  }
}

function define(file: string, statements: string): void {
  const connection = new Connection(file, { readOnly: false });
  connection.database.exec(statements);
  connection.close();
}
