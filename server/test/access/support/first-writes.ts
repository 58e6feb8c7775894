import assert from "node:assert/strict";
import type { DescMethodUnary } from "@bufbuild/protobuf";
import { engineOf, isTurnOf } from "../../support/databases/turns.ts";
import type { MatrixFixtures } from "./fixtures.ts";
import { thaw } from "./frozen.ts";
import { type Row, readRows } from "./rows.ts";
import { type Parts, putParts, type Snapshot, takeSnapshot, unusual } from "./rows-of-documents.ts";
import { type Variant, varied } from "./vary.ts";

/** Writes that change no document, or that make a new object each time. */
const isOther = /\/(?:SetUpOrg|\w*Password|Set\w*MessageText|Set\w*MessageCustomText|Set\w*Metadata|UpdateInstance)$/;

/** Parts for which no other value would be accepted, from any caller. */
const isUnplantable = /^settings .* code: document\.\w+\.(?:includes|lifetime)/;

// Each engine has the turn for half of the methods: what these tests are about is which fields each of them knows.
async function writesOf({ server }: MatrixFixtures): Promise<{ row: Row; descriptor: DescMethodUnary }[]> {
  const rows = readRows();
  const engine = engineOf(server.location);
  const writes = [];
  for (const method of server.app.methods.values()) {
    const row = rows.get(method.name);
    if (row === undefined || !/\.v1\.\w+\/(?:Update|Set)/.test(row.method) || isOther.test(row.method)) continue;
    if (!isTurnOf(engine, row.method)) continue;
    writes.push({ row, descriptor: await method.loadDescriptor() });
  }
  // First what users change of themselves: their session is worthless once the settings demand a second factor.
  return writes.sort((left, right) => Number(right.row.about === "self") - Number(left.row.about === "self"));
}

/** Returns what differs between two moments: parts of rows that are in both. */
function differences(before: Snapshot, after: Snapshot): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const [key, { parts }] of after) {
    const former = before.get(key)?.parts;
    if (former === undefined) continue;
    const changed = [...parts.keys(), ...former.keys()].filter(
      (path) => JSON.stringify(parts.get(path)) !== JSON.stringify(former.get(path)),
    );
    if (changed.length > 0) found.set(key, new Set(changed));
  }
  return found;
}

/** Returns unusual values for everything in a row that a method does not know. */
function strange(key: string, { parts }: Parts, known: ReadonlySet<string>): Parts["parts"] {
  const planted = new Map<string, NonNullable<ReturnType<typeof unusual>>>();
  for (const [path, value] of parts) {
    const other = known.has(path) || isUnplantable.test(`${key}: ${path}`) ? undefined : unusual(value);
    if (other !== undefined && other !== null) planted.set(path, other);
  }
  return planted;
}

/** What a row's request says by another name: without it there is no way to sign in, which is refused. */
const namedByRow: Readonly<Record<string, string>> = {
  "service.admin.v1.AdminService/UpdateLoginPolicy": "document.allowLocalAuthentication",
  "service.management.v1.ManagementService/UpdateCustomLoginPolicy": "document.allowLocalAuthentication",
};

/**
 * Calls every v1 write with two values of each field; what differs afterwards is what the method knows. Everything else
 * in the same rows is then set to an unusual value behind the server's back, and must stay so when the method is called
 * again. Thaws the database.
 */
export async function checkFirstWrites(
  fixtures: MatrixFixtures,
): Promise<{ readonly complaints: readonly string[]; readonly methods: number; readonly parts: number }> {
  const { server, principals, tenants } = fixtures;
  const { database } = server.app.domain;
  await thaw(server.location);
  const owner = principals.find(({ position }) => position?.role === "IAM_OWNER") ?? assert.fail();
  const system = principals.find(({ position }) => position?.level === "system") ?? assert.fail();
  const self = principals.find(({ isSelf }) => isSelf) ?? assert.fail();
  const { own } = tenants;
  // What the rows name is one of OpenID Connect, which others refuse.
  const jwt = { legacyIdp: own.objects["JWT"] ?? "", instanceLegacyIdp: own.objects["instanceJWT"] ?? "" };
  const complaints: string[] = [];
  let [plantedParts, methods] = [0, 0];
  for (const { row, descriptor } of await writesOf(fixtures)) {
    const { token } = row.about === "self" ? self : row.about === "system" ? system : owner;
    const objects = row.method.endsWith("JWTConfig") ? { ...own.objects, ...jwt } : own.objects;
    const headers = { "x-service-orgid": objects["organization"] ?? "" };
    const call = async (variant: Variant): Promise<boolean> => {
      const body = varied(row, descriptor.input, objects, variant);
      const answer = await server.rest("POST", `/${row.method}`, { body, token, headers });
      if (answer.status !== 200) complaints.push(`${row.method} ${JSON.stringify(body)}: ${answer.body.message}`);
      return answer.status === 200;
    };
    if (!(await call(1))) continue;
    const second = await takeSnapshot(database);
    if (!(await call(0))) continue;
    const first = await takeSnapshot(database);
    const known = differences(second, first);
    if (known.size > 0) methods++;
    for (const [key, paths] of known) {
      const parts = first.get(key) ?? assert.fail();
      const named = namedByRow[row.method];
      const planted = new Map([...strange(key, parts, paths)].filter(([path]) => path !== named));
      if (planted.size === 0) continue;
      plantedParts += planted.size;
      await putParts(database, parts, planted);
      if (!(await call(1))) complaints.push(`with ${JSON.stringify([...planted])}`);
      const after = (await takeSnapshot(database)).get(key)?.parts;
      for (const [path, value] of planted) {
        const [is, was] = [JSON.stringify(after?.get(path)), JSON.stringify(value)];
        if (is !== was) complaints.push(`${row.method} does not know ${path}, and changed ${was} to ${is}`);
      }
      await putParts(database, parts, parts.parts);
    }
  }
  return { complaints, methods, parts: plantedParts };
}
