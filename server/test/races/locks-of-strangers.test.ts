import assert from "node:assert/strict";
import { test } from "node:test";
import type { DescMethodUnary } from "@bufbuild/protobuf";
import { type Cell, callCell } from "../access/support/cell.ts";
import { makeMatrixFixtures } from "../access/support/fixtures.ts";
import { expectedOf } from "../access/support/model.ts";
import { readRows } from "../access/support/rows.ts";
import { onPostgres } from "../support/databases/databases.ts";
import { isQueue, noteLocks } from "../support/databases/noted-locks.ts";

// A unit that waits for a row to have it alone keeps out all that would share it. Who may not change something must not
// be able to do that, however the call is refused.

/** Owners of everything that others own: their calls pass what is judged without the object. */
const strangers = ["ORG_OWNER of another organization", "PROJECT_OWNER of another organization"];

/** Rows without a queue that calls lock; jobs lock others meanwhile. */
const tables = [
  "authorizations",
  "identity_providers",
  "instances",
  "memberships",
  "project_grants",
  "resources",
  "scripts",
];

const isShared = (of: string): boolean => isQueue(of) || tables.includes(of);

onPostgres(() => {
  test("a call that is refused has held nothing alone", async (t) => {
    const { server, principals, tenants } = await makeMatrixFixtures(t, "postgres");
    const noted = noteLocks();
    const rows = readRows();
    let refused = 0;
    for (const method of server.app.methods.values()) {
      const row = rows.get(method.name);
      if (row === undefined || /\/(List|Get|Search)/.test(method.name)) continue;
      const descriptor: DescMethodUnary = await method.loadDescriptor();
      for (const principal of principals.filter(({ name }) => strangers.includes(name))) {
        const tenant = tenants.own;
        if (expectedOf(row, principal, tenant) !== "refused") continue;
        const cell: Cell = {
          row,
          descriptor,
          principal,
          tenant,
          organization: organizationOf(method.name, tenant.objects),
        };
        noted.begin(method.name);
        const { outcome } = await callCell(server, cell);
        noted.begin("");
        if (outcome === "refused") refused++;
      }
    }
    assert.ok(refused > 200, `${refused} refusals`);
    const held = noted.units.flatMap(({ during, locks }) =>
      during === ""
        ? []
        : locks.filter(({ of, hold }) => hold === "alone" && isShared(of)).map(({ of }) => `${during}: ${of}`),
    );
    assert.deepEqual([...new Set(held)].sort(), []);
  });
});

function organizationOf(method: string, objects: Readonly<Record<string, string>>): string | undefined {
  return method.includes(".management.v1.") ? objects["organization"] : undefined;
}
