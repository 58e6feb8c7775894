import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import { send } from "../../src/database/postgres/send.ts";
import { onPostgres } from "../support/databases/databases.ts";
import { postgresUrl } from "../support/databases/postgres.ts";

onPostgres(() => {
  test("a packet is answered although the one before it failed before its columns were named", async (t) => {
    const client = new pg.Client({ connectionString: await postgresUrl(), pipeline: true } as pg.ClientConfig);
    await client.connect();
    t.after(() => client.end());
    const ask = async (name: string, value: string) => {
      const [result] = await send(client, [{ name, text: `select $1::int8 as "at", 'u' as "of"`, values: [value] }]);
      return result?.rows;
    };
    const tooLarge = "99999999999999999999";
    for (const name of ["one", "two"]) {
      // Prepared, but refused before its columns are described, while the next use is on its way already.
      const later: { third?: Promise<unknown> } = {};
      const first = ask(name, tooLarge).catch((error: pg.DatabaseError) => {
        later.third = ask(name, "3");
        return error.code;
      });
      const second = ask(name, "2");
      assert.deepEqual(await second, [{ at: 2, of: "u" }]);
      assert.equal(await first, "22003");
      assert.deepEqual(await later.third, [{ at: 3, of: "u" }]);
      assert.deepEqual(await ask(name, "4"), [{ at: 4, of: "u" }]);
    }
  });
});
