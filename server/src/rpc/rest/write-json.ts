import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { fieldValue, type Properties } from "../field-value.ts";
import { wellKnownWriters } from "./well-known.ts";
import type { Write } from "./write.ts";

const writers = new Map<DescMessage, Write>();

/**
 * Converts a message to Proto3 JSON for REST: lowerCamelCase, with 64-bit integers as numbers. Every field with
 * implicit presence is written, even when it is empty, zero or false, so that a record always shows all its fields.
 * Fields with explicit presence appear when they are set.
 */
export function writeJson(descriptor: DescMessage, message: unknown): unknown {
  return writerOf(descriptor)(message);
}

function writerOf(descriptor: DescMessage): Write {
  const existing = wellKnownWriters.get(descriptor.typeName) ?? writers.get(descriptor);
  if (existing !== undefined) return existing;
  const fields: { readonly field: DescField; readonly write: Write }[] = [];
  const write: Write = (message) => {
    const json: Record<string, unknown> = {};
    for (const { field, write: writeField } of fields) {
      const value = fieldValue(message as Properties, field);
      if (value !== undefined) json[field.jsonName] = writeField(value);
    }
    return json;
  };
  // Registered before its fields are visited, because messages may contain themselves.
  writers.set(descriptor, write);
  for (const field of descriptor.fields) fields.push({ field, write: fieldWriter(field) });
  return write;
}

function fieldWriter(field: DescField): Write {
  switch (field.fieldKind) {
    case "list": {
      const write = valueWriter(field);
      return (values) => (values as readonly unknown[]).map(write);
    }
    case "map": {
      const write = valueWriter(field);
      return (entries) =>
        Object.fromEntries(
          Object.entries(entries as Record<string, unknown>).map(([key, value]) => [key, write(value)]),
        );
    }
    default:
      return valueWriter(field);
  }
}

function valueWriter(field: DescField): Write {
  if (field.message !== undefined) return writerOf(field.message);
  if (field.enum !== undefined) {
    const { value: values } = field.enum;
    return (number) => values[number as number]?.name ?? number;
  }
  switch (field.scalar) {
    case ScalarType.INT64:
    case ScalarType.UINT64:
    case ScalarType.SINT64:
    case ScalarType.FIXED64:
    case ScalarType.SFIXED64:
      return (number) => Number(number);
    case ScalarType.BYTES:
      return (bytes) => Buffer.from(bytes as Uint8Array).toString("base64");
    default:
      return (value) => value;
  }
}
