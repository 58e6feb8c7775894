import process from "node:process";
import { sql } from "../../src/database/index.ts";
import { openSqlite } from "../../src/database/sqlite/sqlite-database.ts";
import { testCall } from "../support/operations/call.ts";

// Writes until writers have to wait for the log to be copied, with nothing else that would keep the process.
const limits = { copyAbove: 50, waitAbove: 100 };
const database = openSqlite(process.argv[2] ?? "", { warn: () => process.exit(3), migrate: () => {}, limits });
for (let n = 0; n < 100; n++) {
  await database.touch(testCall(), (tx) =>
    tx.run(sql`insert into settings (instance_id, organization_id, kind, document, sequence, created_at, changed_at)
      values ('instance-1', ${`${n}`}, 'x', ${"x".repeat(20_000)}, ${n}, 1, 1)`),
  );
}
await database.close();
process.stdout.write("done");
