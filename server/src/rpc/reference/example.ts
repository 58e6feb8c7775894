import type { DescField, DescMessage } from "@bufbuild/protobuf";
import type { ExampleCall } from "../../api/index.ts";
import type { ContractMethod } from "./contract.ts";
import { exampleScalar, exampleText, wellKnownExamples } from "./example-values.ts";
import { variablesOf } from "./parameters.ts";
import { isRequired } from "./schema-of-rules.ts";

/** Returns an example call of a method: its first REST route, or Connect with JSON when there is none. */
export function exampleOf({ descriptor, row }: ContractMethod): ExampleCall {
  const [route] = row.routes;
  const { input } = descriptor;
  const headers = row.access.kind === "open" ? {} : { authorization: "Bearer $DOORWARD_TOKEN" };
  const request: Shape = { direction: "request", isOfInterest: isNeeded };
  if (route === undefined) {
    const body = exampleMessage(request, input);
    return { verb: "POST", path: `/${row.service}/${row.method}`, headers, body };
  }
  const inPath = variablesOf(route.path);
  const path = route.path.replace(/\{([a-z0-9_]+)[^}]*\}/g, (_match, name: string) => {
    const field = input.fields.find((one) => one.name === name);
    return encodeURIComponent(field === undefined ? name : exampleText(field));
  });
  if (route.body !== undefined) {
    return { verb: route.verb, path, headers, body: exampleMessage(request, input, new Set(inPath)) };
  }
  return { verb: route.verb, path: path + queryOf(input, inPath), headers, body: undefined };
}

/** Returns an example answer, as REST sends it, or Connect for methods without a route. */
export function exampleAnswer({ descriptor, row }: ContractMethod): object {
  const direction = row.routes.length === 0 ? "connect" : "rest";
  return exampleMessage({ direction, isOfInterest: () => true }, descriptor.output);
}

interface Shape {
  readonly direction: "request" | "rest" | "connect";
  /** Whether a field is shown. */
  readonly isOfInterest: (field: DescField) => boolean;
}

const isFirstOfChoice = (field: DescField): boolean =>
  field.oneof?.fields.find(({ deprecated }) => !deprecated) === field;

const isNeeded = (field: DescField): boolean => isRequired(field) || isFirstOfChoice(field);

function queryOf(input: DescMessage, inPath: readonly string[]): string {
  const needed = input.fields.filter(
    (field) => field.fieldKind === "scalar" && isRequired(field) && !inPath.includes(field.name),
  );
  const query = new URLSearchParams(needed.map((field) => [field.jsonName, exampleText(field)])).toString();
  return query === "" ? "" : `?${query}`;
}

/**
 * Returns a message with the values of interest, one member of each choice. A request without required fields shows
 * its first one. A recursive message ends at its second occurrence.
 */
function exampleMessage(
  shape: Shape,
  message: DescMessage,
  without: ReadonlySet<string> = new Set(),
  above: readonly string[] = [],
): object {
  if (above.length > 4 || above.includes(message.typeName)) return {};
  const fields = message.fields.filter(
    (field) => !without.has(field.name) && !field.deprecated && (field.oneof === undefined || isFirstOfChoice(field)),
  );
  const wanted = fields.filter(shape.isOfInterest);
  const shown = wanted.length > 0 ? wanted : fields.slice(0, 1);
  const inner = [...above, message.typeName];
  return Object.fromEntries(shown.map((field) => [field.jsonName, exampleValue(shape, field, inner)]));
}

function exampleValue(shape: Shape, field: DescField, above: readonly string[]): unknown {
  if (field.fieldKind === "map") return {};
  const one = exampleOne(shape, field, above);
  return field.fieldKind === "list" ? [one] : one;
}

function exampleOne(shape: Shape, field: DescField, above: readonly string[]): unknown {
  if (field.message !== undefined) {
    const known = wellKnownExamples[field.message.typeName];
    return known === undefined ? exampleMessage(shape, field.message, new Set(), above) : known(field.name);
  }
  if (field.enum !== undefined) {
    const { values } = field.enum;
    return (values.find(({ name }) => /(?:^|_)ACTIVE$/.test(name)) ?? values[1] ?? values[0])?.name;
  }
  return exampleScalar(field, shape.direction);
}
