import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { pathToFileURL } from "node:url";
import { type DescField, type DescMessage, type DescService, getOption } from "@bufbuild/protobuf";
import { http } from "@doorward/api/google/api/annotations_pb";
import { AdminService } from "@doorward/api/service/admin/v1/admin_service_pb";
import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import { secret } from "@doorward/api/service/option/v1/secret_pb";
import { UserService } from "@doorward/api/service/user/v2/user_service_pb";
import { readContract } from "../../console/contract/contract.ts";
import { keptOf } from "../../console/contract/kept.ts";
import { prune } from "../../console/contract/prune.ts";
import { readUsage } from "../../console/contract/usage.ts";

const root = join(import.meta.dirname, "../..");
const services = [
  ["service/admin/v1/admin_service_pb", "AdminService", AdminService],
  ["service/management/v1/management_service_pb", "ManagementService", ManagementService],
  ["service/user/v2/user_service_pb", "UserService", UserService],
] as const;

/** Writes all modules as the build of the console makes them, and returns what imports one of them. */
async function pruneAll(t: TestContext) {
  const contract = await readContract(join(root, "api/src"));
  const kept = keptOf(contract, await readUsage(join(root, "console/src")));
  // Where modules find the packages that they import.
  const folder = mkdtempSync(join(root, "node_modules/.doorward-pruned-"));
  t.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  for (const module of contract.modules.values()) {
    const file = join(folder, `${module.path}.js`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, prune(contract, kept, module));
  }
  return (path: string): Promise<Readonly<Record<string, unknown>>> =>
    import(pathToFileURL(join(folder, `${path}.js`)).href);
}

test("the methods that the console calls keep all of their fields, and the others are gone", async (t) => {
  const load = await pruneAll(t);
  for (const [path, name, whole] of services) {
    const pruned = (await load(path))[name] as DescService;
    const compared = new Set<string>();
    for (const method of pruned.methods) {
      const original = whole.methods.find((each) => each.name === method.name) ?? assert.fail(method.name);
      compare(method.input, original.input, compared);
      compare(method.output, original.output, compared);
      assert.deepEqual(getOption(method, http).pattern, getOption(original, http).pattern, method.name);
    }
    assert.ok(compared.size > 5 && pruned.methods.length > 3, `${name}: ${pruned.methods.length} methods`);
    assert.ok(pruned.methods.length < (whole.methods.length * 2) / 3 || name === "UserService", name);
  }
  assert.equal(UserService.method.listUsers.name, "ListUsers");
});

test("a value that the sources import is there, and a message that no call contains is not", async (t) => {
  const load = await pruneAll(t);
  const { imports } = await readUsage(join(root, "console/src"));
  assert.ok(imports.size > 30);
  for (const [path, values] of imports) {
    const module = await load(path);
    for (const value of values) assert.ok(module[value] !== undefined, `${path} has no ${value}`);
  }
  assert.equal((await load("service/admin/v1/data_pb"))["ImportDataRequestSchema"], undefined);
});

function compare(pruned: DescMessage, whole: DescMessage, compared: Set<string>): void {
  if (compared.has(whole.typeName)) return;
  compared.add(whole.typeName);
  assert.deepEqual(pruned.fields.map(describe), whole.fields.map(describe), whole.typeName);
  for (const [index, { message }] of pruned.fields.entries()) {
    const original = whole.fields[index]?.message;
    if (message !== undefined && original !== undefined) compare(message, original, compared);
  }
}

const describe = (field: DescField) => ({
  name: field.name,
  jsonName: field.jsonName,
  number: field.number,
  kind: field.fieldKind,
  scalar: field.scalar,
  message: field.message?.typeName,
  values: field.enum?.values.map(({ name, number }) => [name, number]),
  oneof: field.oneof?.name,
  isSecret: getOption(field, secret),
});
