import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { type DescEnum, type DescField, type DescFile, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { earlierMethods, methods } from "../src/methods.js";
import { services } from "../src/services.js";

/** Numbers of fields from here on are ours: the published contract has none of them. */
const firstOwnNumber = 1000;
const numbering = "published numbers stay as they are; what we add takes the next free one from 1000 on";

/** The one place where our contract names another type than the published one: its fields and numbers are the same. */
const renamedTypes: Readonly<Record<string, string>> = {
  "service.authorization.v2beta.User": "service.authorization.v2.User",
};

const messages = new Map<string, DescMessage>();
const enums = new Map<string, DescEnum>();

before(async () => {
  const source = join(import.meta.dirname, "../src");
  const names = globSync("service/**/*_pb.js", { cwd: source });
  const modules = await Promise.all(names.map((name) => import(join(source, name))));
  for (const file of modules.flatMap((exports) => Object.values(exports)).filter(isFile)) {
    for (const message of file.messages) collect(message);
    for (const each of file.enums) enums.set(each.typeName, each);
  }
});

function collect(message: DescMessage): void {
  messages.set(message.typeName, message);
  for (const nested of message.nestedMessages) collect(nested);
  for (const nested of message.nestedEnums) enums.set(nested.typeName, nested);
}

const isFile = (value: unknown): value is DescFile =>
  typeof value === "object" && value !== null && "kind" in value && value.kind === "file";

/** Lines of a table by their full name; a type that begins with a dot is given its package. */
function readTable(file: string): Map<string, string> {
  const table = new Map<string, string>();
  let packageName = "";
  for (const line of readFileSync(join(import.meta.dirname, "reference", file), "utf8").split("\n")) {
    const [, name = "", rest = ""] = /^([^:\s]+):? ?(.*)$/.exec(line) ?? [];
    if (line.startsWith("package ")) packageName = line.slice("package ".length);
    else if (name !== "") table.set(`${packageName}.${name}`, complete(rest, packageName));
  }
  return table;
}

function complete(line: string, packageName: string): string {
  const completed = line.replaceAll(/(^| )\./g, `$1${packageName}.`);
  if (packageName.endsWith(".v2beta")) return completed;
  return completed.replaceAll(/service\.[\w.]+/g, (name) => renamedTypes[name] ?? name);
}

function fieldLine(field: DescField): string {
  const isOptional = field.fieldKind !== "list" && field.proto.proto3Optional;
  return [
    field.number,
    field.name,
    typeOf(field),
    ...(field.fieldKind === "list" ? ["repeated"] : []),
    ...(isOptional ? ["optional"] : []),
    ...(field.oneof !== undefined && !isOptional ? [`oneof:${field.oneof.name}`] : []),
  ].join(" ");
}

function typeOf(field: DescField): string {
  const nameOf = (kind: string): string => {
    if (kind === "message") return field.message?.typeName ?? "";
    if (kind === "enum") return field.enum?.typeName ?? "";
    return ScalarType[field.scalar ?? 0]?.toLowerCase() ?? "";
  };
  if (field.fieldKind === "list") return nameOf(field.listKind);
  if (field.fieldKind !== "map") return nameOf(field.fieldKind);
  return `map<${ScalarType[field.mapKey].toLowerCase()},${nameOf(field.mapKind)}>`;
}

describe("the published contract is ours", () => {
  test("every field: number, name, type, presence, oneof; ours begin at 1000", () => {
    const table = new Map([...readTable("messages.txt"), ...readTable("earlier-messages.txt")]);
    assert.ok(table.size > 2400);
    const differences = [...table].flatMap(([name, expected]) => {
      const message = messages.get(name);
      if (message === undefined) return [`${name} is missing`];
      const ours = sorted(message.fields.filter(({ number }) => number < firstOwnNumber).map(fieldLine));
      const theirs = sorted(expected.split("; ").map(lowerOneof));
      return ours === theirs ? [] : [`${name}:\n  ours:      ${ours}\n  published: ${theirs}`];
    });
    assert.deepEqual(differences, [], numbering);
  });

  test("the JSON name of every field is the one that the name gives", () => {
    const odd = [...messages.values()].flatMap(({ fields, typeName }) =>
      fields
        .filter(
          ({ name, jsonName }) => jsonName !== name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
        )
        .map(({ name, jsonName }) => `${typeName}.${name} is ${jsonName}`),
    );
    assert.deepEqual(odd, []);
  });

  test("every value of an enumeration; ours begin at 1000", () => {
    const table = new Map([...readTable("enums.txt"), ...readTable("earlier-enums.txt")]);
    assert.ok(table.size > 160);
    for (const [name, expected] of table) {
      const published = enums.get(name)?.values.filter(({ number }) => number < firstOwnNumber);
      const ours = published?.map((value) => `${value.number} ${value.name}`);
      assert.deepEqual(ours?.sort(), expected.split("; ").sort(), `${name}: ${numbering}`);
    }
  });

  test("every method: messages, routes, permission", () => {
    const table = readTable("methods.txt");
    assert.ok(table.size > 700);
    const ours = new Map(methods.map((method) => [`${method.service}/${method.method}`, method]));
    const differences = [...table].flatMap(([name, expected]) => {
      const method = ours.get(name);
      if (method === undefined) return [`${name} is missing`];
      const [types, ...parts] = expected.split("; ");
      const found = [`${method.input} ${method.output}`, permissionOf(method)];
      const permission = parts.find((part) => part.startsWith("permission ")) ?? "permission (none)";
      const published = parts.filter((part) => / \//.test(part));
      const routes = method.routes.map(
        (route) => `${route.verb} ${route.path}${route.body ? ` body:${route.body}` : ""}`,
      );
      return [
        ...(found[0] === types ? [] : [`${name}: ${found[0]}, published: ${types}`]),
        ...(found[1] === permission ? [] : [`${name}: ${found[1]}, published: ${permission}`]),
        ...published.filter((route) => !routes.includes(route)).map((route) => `${name} has no ${route}`),
      ];
    });
    assert.deepEqual(differences, []);
  });

  test("every method of the earlier forms of services: messages, routes", async () => {
    const ours = new Map<string, string>();
    for (const { service, method, routes } of earlierMethods) {
      const descriptor = (await services[service]()).methods.find(({ name }) => name === method);
      const types = `${descriptor?.input.typeName} ${descriptor?.output.typeName}`;
      const paths = routes.map(({ verb, path, body }) => `${verb} ${path}${body ? ` body:${body}` : ""}`);
      ours.set(`${service}/${method}`, [types, ...paths].join("; "));
    }
    assert.equal(ours.size, 141);
    assert.deepEqual(ours, readTable("earlier-methods.txt"));
  });
});

function permissionOf({ access }: (typeof methods)[number]): string {
  if (access.kind === "open") return "permission (none)";
  return access.kind === "self" ? "permission authenticated" : `permission ${access.permission}`;
}

// The name of a group is nowhere on the wire; two of the published ones are not in the case that our rules for names
// want.
const lowerOneof = (line: string): string =>
  line.replace(
    /oneof:(\S+)/,
    (_, name: string) => `oneof:${name.replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase()}`,
  );

const sorted = (list: readonly string[]): string =>
  [...list]
    .filter((part) => part !== "")
    .sort()
    .join("; ");
