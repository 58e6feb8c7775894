import {
  type DescEnum,
  type DescField,
  type DescMessage,
  type DescOneof,
  fromJson,
  type JsonValue,
} from "@bufbuild/protobuf";
import { Fault } from "../base/fault.ts";
import { isRecord } from "../base/json.ts";

/** Ignores the unknown fields of a request, and is told their paths. */
export type IgnoreFields = (path: string) => void;

/** More names than a reader of an error looks through. */
const maximumNames = 40;

/**
 * Refuses names in the JSON of a request that the contract does not have, which protobuf's parser would replace by the
 * default: `"authMethodType":"NONE"` must not make a confidential client. Throws `invalid_argument` with the path of
 * the field and the known names. Unknown fields are refused as well, unless `ignore` takes them.
 */
export function refuseUnknownInput(descriptor: DescMessage, json: unknown, ignore?: IgnoreFields): void {
  checkMessage(descriptor, json, { path: "", ignore });
}

interface Position {
  readonly path: string;
  readonly ignore: IgnoreFields | undefined;
}

// Scalars of the wrong type are left to the parser, which names them; of messages it names only the type.
function checkMessage(descriptor: DescMessage, json: unknown, { path, ignore }: Position): void {
  if (!isRecord(json)) return;
  const chosen = new Map<DescOneof, string>();
  for (const [name, value] of Object.entries(json)) {
    const field = descriptor.fields.find((known) => known.jsonName === name || known.name === name);
    if (field !== undefined) {
      if (value !== null) refuseSecond(chosen, field, path + field.jsonName);
      checkField(field, value, { path: path + field.jsonName, ignore });
    } else if (ignore === undefined) throw unknownField(path + name, descriptor);
    else ignore(path + name);
  }
}

// Of the members of a choice only one can be given.
function refuseSecond(chosen: Map<DescOneof, string>, { oneof }: DescField, path: string): void {
  if (oneof === undefined) return;
  const first = chosen.get(oneof);
  chosen.set(oneof, path);
  if (first === undefined || first === path) return;
  throw new Fault("invalid_argument", "field.one_of_several", { field: path, values: { fields: `${first}, ${path}` } });
}

function checkField(field: DescField, value: unknown, { path, ignore }: Position): void {
  const check = (item: unknown, at: string): void => {
    if (field.message !== undefined) checkInner(field.message, item, { path: at, ignore });
    else if (field.enum !== undefined) checkEnum(field.enum, item, at);
  };
  if (value === null) return;
  if (field.fieldKind === "list" && Array.isArray(value)) {
    for (const [index, item] of value.entries()) check(item, `${path}[${index}]`);
  } else if (field.fieldKind === "map" && isRecord(value)) {
    for (const [key, item] of Object.entries(value)) check(item, `${path}[${key}]`);
  } else check(value, path);
}

function checkInner(descriptor: DescMessage, value: unknown, { path, ignore }: Position): void {
  if (descriptor.typeName.startsWith("google.protobuf.")) {
    if (!isOfWellKnown(descriptor, value)) throw wrongTypeAt(path);
  } else if (isRecord(value)) checkMessage(descriptor, value, { path: `${path}.`, ignore });
  else throw wrongTypeAt(path);
}

// A text, an object or a number, as the type has it.
function isOfWellKnown(descriptor: DescMessage, value: unknown): boolean {
  try {
    fromJson(descriptor, value as JsonValue);
    return true;
  } catch {
    return false;
  }
}

const wrongTypeAt = (field: string): Fault =>
  new Fault("invalid_argument", "field.wrong_type", { field, values: { field } });

function checkEnum(descriptor: DescEnum, value: unknown, field: string): void {
  if (typeof value !== "string" && !Number.isInteger(value)) throw wrongTypeAt(field);
  if (typeof value !== "string" || descriptor.values.some(({ name }) => name === value)) return;
  if (descriptor.typeName.startsWith("google.protobuf.")) return;
  throw unknownName(field, descriptor);
}

/** Returns the refusal of a name that an enum does not have. */
function unknownName(field: string, descriptor: DescEnum): Fault {
  const known = listed(descriptor.values.map(({ name }) => name));
  return new Fault("invalid_argument", "field.unknown_name", { field, values: { field, known } });
}

/** Returns the refusal of a field that a message does not have. */
export function unknownField(field: string, descriptor: DescMessage): Fault {
  const known = listed(descriptor.fields.map(({ jsonName }) => jsonName));
  return new Fault("invalid_argument", "field.unknown", { field, values: { field, known } });
}

const listed = (names: readonly string[]): string =>
  names.length > maximumNames ? `${names.slice(0, maximumNames).join(", ")}, …` : names.join(", ");
