import { type DescField, type DescMessage, getOption, ScalarType } from "@bufbuild/protobuf";
import { secret } from "@doorward/api/service/option/v1/secret_pb";
import { isRecord } from "../base/json.ts";
import type { JsonMessage } from "../extension/index.ts";

/** Replaces the secrets in messages of one type, in canonical Proto3 JSON, and puts them back. */
export interface Concealment {
  /** Returns the message with a placeholder instead of each value that the contract marks as secret. */
  conceal(message: JsonMessage): JsonMessage;
  /**
   * Returns the message with the values behind the placeholders of the message that was concealed last. A secret that a
   * target took out is gone, so that the next one cannot have it sent to where the first one led it. Each returns to
   * the field that it was taken from and to no other, so that a target cannot copy a secret to where it may be read.
   * Throws for a placeholder that is unknown.
   */
  reveal(message: JsonMessage): JsonMessage;
}

const form = /^redacted:\d+$/;

/** Creates the concealment of one request or response. */
export function createConcealment(descriptor: DescMessage): Concealment {
  const hidden = new Map<string, unknown>();
  let count = 0;
  const nameOf = (field: DescField, placeholder: string): string =>
    `${field.parent.typeName}.${field.name} ${placeholder}`;
  const hide = (field: DescField, value: unknown): unknown => {
    if (value === "") return value;
    const placeholder = `redacted:${++count}`;
    hidden.set(nameOf(field, placeholder), value);
    return spell(field, placeholder);
  };
  const show = (field: DescField, value: unknown): unknown => {
    const placeholder = readPlaceholder(field, value);
    if (placeholder === undefined) return value;
    const name = nameOf(field, placeholder);
    if (!hidden.has(name)) throw new Error(`${placeholder} does not belong to this field`);
    return hidden.get(name);
  };
  return {
    conceal: (message) => {
      hidden.clear();
      return visit(descriptor, message, hide);
    },
    reveal: (message) => visit(descriptor, message, show),
  };
}

type Visit = (field: DescField, value: unknown) => unknown;

/** Returns a copy of a message in which `replace` was applied to each secret value. */
function visit(descriptor: DescMessage, message: JsonMessage, replace: Visit): JsonMessage {
  const copy: Record<string, unknown> = { ...message };
  for (const field of fieldsWithSecrets(descriptor)) {
    const value = copy[field.jsonName];
    if (value !== undefined && value !== null) copy[field.jsonName] = visitField(field, value, replace);
  }
  return copy;
}

function visitField(field: DescField, value: unknown, replace: Visit): unknown {
  const { message } = field;
  const one = isSecret(field)
    ? (each: unknown) => replace(field, each)
    : (each: unknown) => (message !== undefined && isRecord(each) ? visit(message, each, replace) : each);
  if (field.fieldKind === "list") return Array.isArray(value) ? value.map(one) : value;
  if (field.fieldKind !== "map" || !isRecord(value)) return one(value);
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, one(each)]));
}

const found = new WeakMap<DescMessage, readonly DescField[]>();

/** Returns the fields that are secret, or whose messages have such fields. */
function fieldsWithSecrets(descriptor: DescMessage, above: ReadonlySet<DescMessage> = new Set()): readonly DescField[] {
  const known = found.get(descriptor);
  if (known !== undefined) return known;
  const path = new Set(above).add(descriptor);
  const fields = descriptor.fields.filter((field) => {
    if (isSecret(field)) return true;
    if (field.message === undefined) return false;
    // A message that contains itself is visited as deep as it goes.
    return path.has(field.message) || fieldsWithSecrets(field.message, path).length > 0;
  });
  // What was found below another message may depend on the assumption of the line above.
  if (above.size === 0) found.set(descriptor, fields);
  return fields;
}

const isSecret = (field: DescField): boolean => getOption(field, secret);

// In JSON, bytes are base64 and a Struct is an object.
function spell(field: DescField, placeholder: string): unknown {
  if (field.message !== undefined) return { placeholder };
  return field.scalar === ScalarType.BYTES ? Buffer.from(placeholder).toString("base64") : placeholder;
}

function readPlaceholder(field: DescField, value: unknown): string | undefined {
  const spelled = isRecord(value) ? value["placeholder"] : value;
  if (typeof spelled !== "string") return undefined;
  const text = field.scalar === ScalarType.BYTES ? Buffer.from(spelled, "base64").toString("latin1") : spelled;
  return form.test(text) ? text : undefined;
}
