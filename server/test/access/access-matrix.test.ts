import assert from "node:assert/strict";
import { test } from "node:test";
import type { DescMethodUnary } from "@bufbuild/protobuf";
import { isLong } from "../support/data/random.ts";
import { eachEngine } from "../support/databases/databases.ts";
import type { TestServer } from "../support/servers/server.ts";
import { type Cell, callCell, complaintOf } from "./support/cell.ts";
import { checkFirstWrites } from "./support/first-writes.ts";
import { type MatrixFixtures, makeMatrixFixtures } from "./support/fixtures.ts";
import { frozenMessage } from "./support/frozen.ts";
import { inParallel } from "./support/in-parallel.ts";
import { mayKnow, type Principal } from "./support/model.ts";
import { requestOf } from "./support/request.ts";
import { readRows } from "./support/rows.ts";
import type { Tenant } from "./support/tenant.ts";

const rows = readRows();

async function descriptorsOf({ app }: TestServer): Promise<Map<string, DescMethodUnary>> {
  const descriptors = new Map<string, DescMethodUnary>();
  for (const method of app.methods.values()) {
    if (!method.isHealth && (await method.loadImplementation()) === undefined) continue;
    descriptors.set(method.name, await method.loadDescriptor());
  }
  return descriptors;
}

/** Returns a method's cells for a principal: each tenant that the call can name; v1 calls also come from elsewhere. */
function cellsOf({ tenants }: MatrixFixtures, descriptor: DescMethodUnary, principal: Principal): Cell[] {
  const row = rows.get(nameOf(descriptor));
  if (row === undefined) return [];
  const { own } = tenants;
  const requestIn = (tenant: Tenant): string => JSON.stringify(requestOf(row, descriptor.input, tenant.objects));
  const isOfOrganization = row.method.includes(".management.v1.");
  return Object.values(tenants).flatMap((tenant): Cell[] => {
    const cell = { row, descriptor, principal, tenant };
    const namesTenant = tenant === own || requestIn(tenant) !== requestIn(own);
    if (!isOfOrganization) return namesTenant ? [{ ...cell, organization: undefined }] : [];
    const there = { ...cell, organization: tenant.objects["organization"] };
    const isSmuggled = tenant !== own && namesTenant && row.about !== "organization";
    return isSmuggled ? [there, { ...cell, organization: own.objects["organization"] }] : [there];
  });
}

// Whether the wording of a refusal must not tell the caller if the object exists.
function isHidden({ row, principal, tenant, organization }: Cell): boolean {
  const isByContext = organization !== undefined && organization === tenant.objects["organization"];
  const isOfInstance = row.about === "instance" && ["own", "otherOrganization"].includes(tenant.name);
  // System users list all instances.
  const isListed = row.about === "system" && principal.position?.level === "system";
  return !isByContext && !isOfInstance && !isListed && !mayKnow(principal, tenant);
}

const nameOf = ({ parent, name }: DescMethodUnary): string => `${parent.typeName}/${name}`;

// The short version asks half of the methods on each engine, as one principal for each, always the same ones, and once
// as a principal who may.
function cellsFor(fixtures: MatrixFixtures, descriptor: DescMethodUnary, index: number): Cell[] {
  const { principals } = fixtures;
  if (isLong()) return principals.flatMap((principal) => cellsOf(fixtures, descriptor, principal));
  if (index % 2 !== (fixtures.server.location.url === undefined ? 0 : 1)) return [];
  const asked = principals[(index * 7) % principals.length];
  const owner = principals.find(({ position }) => position?.role === "IAM_OWNER");
  return [
    ...(asked === undefined ? [] : cellsOf(fixtures, descriptor, asked)),
    ...(owner === undefined ? [] : cellsOf(fixtures, descriptor, owner).slice(0, 1)),
  ];
}

eachEngine((_open, engine) => {
  test("every method answers every caller, wherever its object is, as its row and the published roles say", async (t) => {
    const fixtures = await makeMatrixFixtures(t, engine);
    const { server } = fixtures;
    const descriptors = await descriptorsOf(server);
    assert.deepEqual(
      [...descriptors.keys()].filter((name) => !rows.has(name)),
      [],
      "methods without a row in rows/",
    );
    assert.deepEqual(
      [...rows.keys()].filter((name) => !descriptors.has(name)),
      [],
      "rows without a method",
    );
    const cells = [...descriptors.values()].flatMap((descriptor, index) => cellsFor(fixtures, descriptor, index));
    const refusals = new Map<string, Set<string>>();
    const complaints: string[] = [];
    await inParallel(cells, async (cell) => {
      const answered = await callCell(server, cell);
      const complaint = complaintOf(fixtures, cell, answered);
      if (answered.outcome === "refused" && isHidden(cell)) {
        const same = `${cell.row.method} by ${cell.principal.name}`;
        refusals.set(same, (refusals.get(same) ?? new Set()).add(answered.words));
      }
      const where = [undefined, cell.tenant.objects["organization"]].includes(cell.organization)
        ? ""
        : ", called in another organization";
      if (complaint !== undefined) {
        complaints.push(`${cell.row.method} by ${cell.principal.name} (${cell.tenant.name}${where}): ${complaint}`);
      }
    });
    t.diagnostic(`${cells.length} cells of ${descriptors.size} methods`);
    // An object of another owner and an absent object are refused in the same words.
    for (const [same, words] of refusals)
      if (words.size > 1) complaints.push(`${same}: ${[...words].sort().join(" or ")}`);
    // Each call that was allowed and wrote is in the log, and nothing else is.
    const unexpected = server.errorLog.splice(0).filter((line) => !line.includes(frozenMessage));
    assert.deepEqual([...complaints.sort(), ...unexpected], []);

    await t.test(
      "a write of the first generation changes what it has words for, and leaves the rest as it is",
      async () => {
        const { complaints: changed, methods, parts } = await checkFirstWrites(fixtures);
        assert.deepEqual(changed, []);
        const [fewestMethods, fewestParts] = isLong() ? [50, 60] : [25, 25];
        assert.ok(
          methods > fewestMethods && parts > fewestParts,
          `${methods} methods, ${parts} parts that they do not know`,
        );
      },
    );
  });
});
