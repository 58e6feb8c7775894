import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import type { ExampleCall } from "../../api/index.ts";
import type { ContractMethod } from "./contract.ts";
import { variablesOf } from "./parameters.ts";
import { isRequired, rulesOf } from "./schema-of-rules.ts";

/** Returns an example call of a method: its first REST route, or Connect with JSON when there is none. */
export function exampleOf({ descriptor, row }: ContractMethod): ExampleCall {
  const [route] = row.routes;
  const { input } = descriptor;
  const headers = row.access.kind === "open" ? {} : { authorization: "Bearer $TOKEN" };
  if (route === undefined) {
    return { verb: "POST", path: `/${row.service}/${row.method}`, headers, body: exampleMessage(input, new Set()) };
  }
  const inPath = variablesOf(route.path);
  const path = route.path.replace(/\{([a-z0-9_]+)[^}]*\}/g, (_match, name: string) => placeholder(name));
  const body = route.body === undefined ? undefined : exampleMessage(input, new Set(inPath));
  return { verb: route.verb, path, headers, body };
}

const placeholder = (name: string): string => `$${name.toUpperCase()}`;

/**
 * Returns a message with the required values: required fields, the first member of each choice, and, when there are
 * none, the first field. A recursive message ends at its second occurrence.
 */
function exampleMessage(message: DescMessage, without: ReadonlySet<string>, above: readonly string[] = []): object {
  const fields = message.fields.filter(({ name, deprecated }) => !without.has(name) && !deprecated);
  const isFirstOfChoice = (field: DescField): boolean =>
    field.oneof !== undefined && field.oneof.fields.find(({ deprecated }) => !deprecated) === field;
  const needed = fields.filter((field) => isRequired(field) || isFirstOfChoice(field));
  const shown = needed.length > 0 ? needed : fields.slice(0, 1);
  if (above.length > 4 || above.includes(message.typeName)) return {};
  return Object.fromEntries(shown.map((field) => [field.jsonName, exampleValue(field, [...above, message.typeName])]));
}

function exampleValue(field: DescField, above: readonly string[]): unknown {
  if (field.fieldKind === "map") return {};
  const one = exampleOne(field, above);
  return field.fieldKind === "list" ? [one] : one;
}

function exampleOne(field: DescField, above: readonly string[]): unknown {
  if (field.message !== undefined)
    return wellKnown[field.message.typeName] ?? exampleMessage(field.message, new Set(), above);
  if (field.enum !== undefined) return (field.enum.values[1] ?? field.enum.values[0])?.name;
  const rules = rulesOf(field);
  switch (field.scalar) {
    case ScalarType.BOOL:
      return true;
    case ScalarType.STRING:
      if (rules?.kind.case === "string" && rules.kind.value.email) return "ada@example.com";
      return /uri|url/i.test(field.name) ? "https://example.com/" : "…";
    case ScalarType.BYTES:
      return "AAEC";
    default:
      return 1;
  }
}

const wellKnown: Readonly<Record<string, unknown>> = {
  "google.protobuf.Timestamp": "2030-01-01T00:00:00Z",
  "google.protobuf.Duration": "3600s",
  "google.protobuf.FieldMask": "minLength",
  "google.protobuf.Struct": {},
  "google.protobuf.Empty": {},
};
