import assert from "node:assert/strict";
import { test } from "node:test";
import { type DescField, type DescMessage, fromJson, type JsonValue, ScalarType, toJson } from "@bufbuild/protobuf";
import { isRecord } from "../../src/base/json.ts";
import { createEarlierMethods, createRegistry, type Method } from "../../src/rpc/index.ts";

type Json = Record<string, unknown>;

/** Fields of responses that stay empty here, and why. */
const empty: Readonly<Record<string, string>> = {
  "app.v2beta.OIDCConfig.version": "its only value is the default",
  "app.v2beta.SAMLConfig.metadata_xml": "the address, which the samples have, takes precedence",
  "authorization.v2beta.Authorization.project_grant_id": "version 2 names the organization of the grant instead",
};

const methods = [...createEarlierMethods(createRegistry(async () => [])).values()];

async function load({ loadDescriptor, adapted }: Method) {
  assert.ok(adapted);
  const [earlier, current] = [await loadDescriptor(), await adapted.of.loadDescriptor()];
  return { earlier, current, ...(await adapted.loadAdapter()) };
}

const wellKnown: Readonly<Record<string, unknown>> = {
  "google.protobuf.Timestamp": "2027-01-15T12:00:00Z",
  "google.protobuf.Duration": "3s",
  "google.protobuf.FieldMask": "sample",
  "google.protobuf.Struct": { a: 1 },
  "google.protobuf.Value": 1,
};

function scalar(type: ScalarType, name: string): unknown {
  if (type === ScalarType.STRING) return name;
  if (type === ScalarType.BOOL) return true;
  return type === ScalarType.BYTES ? "dg==" : 1;
}

/** A message with every field; of each oneof the member that `choice` selects. */
function sample(message: DescMessage, choice: number, above: readonly DescMessage[] = []): unknown {
  if (message.typeName.startsWith("google.protobuf.")) return wellKnown[message.typeName];
  const json: Json = {};
  for (const field of message.fields) {
    const { oneof } = field;
    if (oneof !== undefined && oneof.fields.length > 1 && oneof.fields[choice % oneof.fields.length] !== field)
      continue;
    if (field.message !== undefined && above.includes(field.message)) continue;
    const one = oneOf(field, choice, [...above, message]);
    json[field.jsonName] = field.fieldKind === "list" ? [one] : field.fieldKind === "map" ? { key: one } : one;
  }
  return json;
}

function oneOf(field: DescField, choice: number, above: readonly DescMessage[]): unknown {
  if (field.message !== undefined) return sample(field.message, choice, above);
  const numbers = field.enum?.values.map(({ number }) => number).filter((number) => number > 0);
  return field.enum === undefined
    ? scalar(field.scalar ?? ScalarType.STRING, `${field.parent.name}.${field.name}`)
    : (numbers?.[0] ?? 0);
}

const choices = Array.from({ length: 12 }, (_, index) => index);

test("version 2 knows every field of every request, by the tables", async () => {
  for (const method of methods) {
    const { earlier, toCurrent } = await load(method);
    for (const choice of choices) {
      const json = sample(earlier.input, choice) as JsonValue;
      assert.doesNotThrow(() => toCurrent(fromJson(earlier.input, json)), `${method.name} ${JSON.stringify(json)}`);
    }
  }
});

test("every field of every response is filled, by the tables", async () => {
  const filled = new Set<string>();
  const known = new Set<string>();
  const nameOf = (field: DescField): string => `${field.parent.typeName}.${field.name}`.replace("service.", "");
  const note = (message: DescMessage, json: unknown, above: readonly DescMessage[] = []): void => {
    if (message.typeName.startsWith("google.protobuf.") || above.includes(message)) return;
    for (const field of message.fields) {
      known.add(nameOf(field));
      const value = isRecord(json) ? json[field.jsonName] : undefined;
      if (value !== undefined) filled.add(nameOf(field));
      const items = field.fieldKind === "list" ? (value as unknown[] | undefined) : [value];
      const inner = field.fieldKind === "map" ? Object.values((value ?? {}) as Json) : (items ?? [undefined]);
      if (field.message !== undefined) for (const item of inner) note(field.message, item, [...above, message]);
    }
  };
  for (const method of methods) {
    const { earlier, current, fromCurrent } = await load(method);
    for (const choice of choices) {
      const request = fromJson(current.input, sample(current.input, choice) as JsonValue);
      const response = fromJson(current.output, sample(current.output, choice) as JsonValue);
      note(earlier.output, toJson(earlier.output, fromCurrent(response, request), { enumAsInteger: true }));
    }
  }
  assert.ok(known.size > 400, String(known.size));
  assert.deepEqual([...known].filter((name) => !filled.has(name)).toSorted(), Object.keys(empty).toSorted());
});

test("an enumeration of an earlier form has the numbers of version 2", async () => {
  const differences = new Set<string>();
  const seen = new Set<DescMessage>();
  const compare = (left: DescMessage, right: DescMessage): void => {
    if (seen.has(left)) return;
    seen.add(left);
    for (const field of left.fields) {
      const other = right.fields.find(({ name }) => name === field.name);
      if (field.message !== undefined && other?.message !== undefined) compare(field.message, other.message);
      if (field.enum === undefined || other?.enum === undefined) continue;
      const kept = new Set(other.enum.values.map(({ number }) => number));
      const lost = field.enum.values.filter(({ number }) => !kept.has(number)).map(({ name }) => name);
      for (const name of lost) differences.add(name);
    }
  };
  for (const method of methods) {
    const { earlier, current } = await load(method);
    compare(earlier.input, current.input);
    compare(earlier.output, current.output);
  }
  // A former switch of performance, which does nothing here.
  assert.deepEqual([...differences], ["IMPROVED_PERFORMANCE_ORG_BY_ID"]);
});
