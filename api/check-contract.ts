/** Checks what buf cannot know about our options: that they are present, and that they fit what they stand on. */
import {
  type DescEnum,
  type DescField,
  type DescFile,
  type DescMessage,
  type DescMethod,
  getOption,
  hasOption,
  ScalarType,
} from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence } from "@bufbuild/protobuf/wkt";
import { isEarlierForm } from "./generate-methods.ts";
import { canHoldSecret, harmless, soundsSecret } from "./secret-names.ts";
import { http } from "./src/google/api/annotations_pb.js";
import type { HttpRule } from "./src/google/api/http_pb.js";
import { access } from "./src/service/option/v1/access_pb.js";
import { type Rules, rules } from "./src/service/option/v1/rules_pb.js";
import { secret } from "./src/service/option/v1/secret_pb.js";

/** Returns everything that is wrong with the options of these files, one sentence each; empty when all is well. */
export function contractProblems(files: Iterable<DescFile>): readonly string[] {
  const all = [...files];
  const methods = all.flatMap((file) => file.services.flatMap((service) => service.methods));
  const messages = all.flatMap((file) => file.messages.flatMap(withNested));
  return [
    ...methods.flatMap((method) => [...accessProblems(method), ...pathProblems(method), ...presenceProblems(method)]),
    ...routeCollisions(methods),
    ...messages.flatMap((message) =>
      message.fields.flatMap((field) => [...ruleProblems(field), ...secretProblems(field)]),
    ),
  ];
}

function withNested(message: DescMessage): readonly DescMessage[] {
  return [message, ...message.nestedMessages.flatMap(withNested)];
}

const nameOf = (method: DescMethod): string => `${method.parent.typeName}.${method.name}`;

function accessProblems(method: DescMethod): readonly string[] {
  // The method of version 2 says who may call it.
  if (isEarlierForm(method.parent)) return [];
  const { requirement, checkField, organizationField } = getOption(method, access);
  const problems: string[] = [];
  if (requirement.case === undefined) problems.push("has no access option");
  else if (!requirement.value) problems.push(`says ${requirement.case} without a value`);
  for (const name of [checkField, organizationField]) {
    if (name === "") continue;
    if (requirement.case !== "permission") problems.push(`names ${name} but asks for no permission`);
    if (!isPath(method.input, name)) problems.push(`names ${name}, which is not a field of ${method.input.typeName}`);
  }
  return problems.map((problem) => `${nameOf(method)} ${problem}`);
}

/** Returns the routes of a method as "VERB /path". */
export function routesOf(method: DescMethod): readonly string[] {
  const rule = getOption(method, http);
  return [rule, ...rule.additionalBindings].flatMap(({ pattern }: HttpRule) =>
    pattern.case === undefined || pattern.case === "custom" ? [] : [`${pattern.case.toUpperCase()} ${pattern.value}`],
  );
}

/** `{name}`, or `{name=**}`, which takes the rest of the path with its slashes. */
const variable = /\{([^}=]*)[^}]*\}/g;

function pathProblems(method: DescMethod): readonly string[] {
  return routesOf(method).flatMap((route) =>
    [...route.matchAll(variable)]
      .filter(([, path = ""]) => !isPath(method.input, path))
      .map(([, path]) => `${nameOf(method)}: ${route} names ${path}, which is not a field of ${method.input.typeName}`),
  );
}

function isPath(message: DescMessage, path: string): boolean {
  const [head = "", ...rest] = path.split(".");
  const field = message.fields.find(({ name }) => name === head);
  if (field === undefined || field.fieldKind === "list" || field.fieldKind === "map") return false;
  return rest.length === 0 || (field.fieldKind === "message" && isPath(field.message, rest.join(".")));
}

// The published interface ends below it; fields and messages from here on are our own.
const firstOwnNumber = 1000;

/**
 * Requests that change something leave alone what they do not name. Clients of the published interface name none of our
 * own fields, so an own field without presence would be reset with each of their calls.
 */
function presenceProblems(method: DescMethod): readonly string[] {
  if (!/^(?:Update|Set)[A-Z]/.test(method.name)) return [];
  // A mask names what changes.
  if (method.input.fields.some(({ name }) => name === "update_mask")) return [];
  return reachableFrom(method.input).flatMap((message) =>
    message.fields
      .filter((field) => field.number >= firstOwnNumber && field.presence === FeatureSet_FieldPresence.IMPLICIT)
      // A list is replaced by a message around it, and an enumeration can say that nothing is given.
      .filter((field) => field.fieldKind === "scalar" || (field.fieldKind === "enum" && !saysUnspecified(field.enum)))
      .map(({ name }) => `${nameOf(method)}: ${message.typeName}.${name} is an own field and not optional`),
  );
}

const saysUnspecified = ({ values }: DescEnum): boolean => values[0]?.name.endsWith("_UNSPECIFIED") === true;

function reachableFrom(message: DescMessage, seen = new Set<DescMessage>()): readonly DescMessage[] {
  if (seen.has(message)) return [];
  seen.add(message);
  const inside = message.fields.flatMap((field) => (field.message === undefined ? [] : [field.message]));
  return [message, ...inside.flatMap((inner) => reachableFrom(inner, seen))];
}

function routeCollisions(methods: readonly DescMethod[]): readonly string[] {
  const seen = new Map<string, DescMethod>();
  const problems: string[] = [];
  for (const method of methods) {
    for (const route of routesOf(method)) {
      const shape = route.replaceAll(variable, "{}");
      const other = seen.get(shape);
      if (other !== undefined) problems.push(`${nameOf(method)} and ${nameOf(other)} share ${route}`);
      seen.set(shape, method);
    }
  }
  return problems;
}

function ruleProblems(field: DescField): readonly string[] {
  if (!hasOption(field, rules)) return [];
  const problem = misfit(getOption(field, rules), field);
  return problem === undefined ? [] : [`${field.parent.typeName}.${field.name}: ${problem}`];
}

/** A field that sounds like a secret carries the option, or is among those that only sound so. */
function secretProblems(field: DescField): readonly string[] {
  const name = `${field.parent.typeName}.${field.name}`;
  const isHarmless = harmless.some(({ fields }) => fields.test(name));
  if (!getOption(field, secret)) {
    return soundsSecret(field) && !isHarmless ? [`${name} sounds like a secret and has no secret option`] : [];
  }
  if (!canHoldSecret(field)) return [`${name}: the secret option on a type that holds none`];
  return isHarmless ? [`${name} is listed as harmless and has the secret option`] : [];
}

/** A type: that of a field, or of the items of a list. */
interface Typed {
  readonly fieldKind: DescField["fieldKind"];
  readonly listKind?: "scalar" | "enum" | "message";
  readonly scalar?: ScalarType | undefined;
  readonly message?: DescMessage | undefined;
}

const integers: ReadonlySet<ScalarType | undefined> = new Set([
  ScalarType.INT32,
  ScalarType.INT64,
  ScalarType.UINT32,
  ScalarType.UINT64,
]);

function misfit({ required, kind }: Rules, typed: Typed): string | undefined {
  if (required && typed.fieldKind !== "message") return "only a message can be required";
  // A list field also has the scalar type of its items, which is not the type of the field.
  const scalar = typed.fieldKind === "scalar" ? typed.scalar : undefined;
  const message = typed.fieldKind === "message" ? typed.message?.typeName : undefined;
  switch (kind.case) {
    case undefined:
      return required ? undefined : "rules that say nothing";
    case "string":
      if (scalar !== ScalarType.STRING) return "string rules on another type";
      // The server runs no pattern that stands in data, so a rule of that kind would never be checked.
      if (kind.value.pattern !== undefined) return "a pattern, which nobody checks: compare in the operation";
      return disorder(kind.value.minLen, kind.value.maxLen);
    case "bytes":
      if (scalar !== ScalarType.BYTES) return "bytes rules on another type";
      return disorder(kind.value.minLen, kind.value.maxLen);
    case "bool":
      return scalar === ScalarType.BOOL ? undefined : "bool rules on another type";
    case "enum":
      return typed.fieldKind === "enum" ? undefined : "enum rules on another type";
    case "number":
      return integers.has(scalar) ? undefined : "number rules on another type";
    case "duration":
      return message === "google.protobuf.Duration" ? undefined : "duration rules on another type";
    case "repeated":
      if (typed.fieldKind !== "list") return "list rules on a field that is no list";
      if (kind.value.items !== undefined) return misfit(kind.value.items, itemOf(typed));
      return disorder(kind.value.minItems, kind.value.maxItems);
    default:
      return kind satisfies never;
  }
}

function itemOf({ listKind = "scalar", scalar, message }: Typed): Typed {
  return { fieldKind: listKind, scalar, message };
}
function disorder(least: number | undefined, most: number | undefined): string | undefined {
  return least !== undefined && most !== undefined && least > most ? "the least is more than the most" : undefined;
}
