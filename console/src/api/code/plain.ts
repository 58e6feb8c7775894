import { type DescField, type DescMessage, getOption, type JsonValue, type Message, toJson } from "@bufbuild/protobuf";
import { secret } from "@doorward/api/service/option/v1/secret_pb";
import type { ApiCall } from "../call.ts";

export type Json = { [key: string]: JsonValue };

/** Returns a message as JSON, with a placeholder for every secret. What is false, 0 or empty is there too. */
export const plainJson = (schema: DescMessage, message: Message): Json =>
  withoutSecrets(schema, toJson(schema, message, { alwaysEmitImplicit: true }) as Json);

/** Returns the request of a call as JSON. What a field mask names is there, also where it is false, 0 or empty. */
export function requestJson({ method, input }: ApiCall): Json {
  const json = toJson(method.input, input) as Json;
  const whole = toJson(method.input, input, { alwaysEmitImplicit: true }) as Json;
  for (const path of maskedFields({ method, input }))
    copy(
      whole,
      json,
      path.map(({ jsonName }) => jsonName),
    );
  return withoutSecrets(method.input, json);
}

/** Returns the fields that the field mask of a request names, each with the records around it. */
export function maskedFields({ method, input }: Pick<ApiCall, "method" | "input">): readonly (readonly DescField[])[] {
  const { updateMask } = input as { readonly updateMask?: { readonly paths: readonly string[] } };
  const root = method.input.field["settings"];
  return (updateMask?.paths ?? []).flatMap((path) => {
    const found = root === undefined ? [] : [root];
    for (const name of path.split(".")) {
      const field = found.at(-1)?.message?.fields.find((one) => one.name === name);
      if (field !== undefined) found.push(field);
    }
    return found.length === 0 ? [] : [found];
  });
}

/** Copies one member, which can be in records, unless it is there already. */
function copy(from: Json, to: Json, [name = "", ...names]: readonly string[]): void {
  const value = from[name];
  if (value === undefined) return;
  to[name] ??= names.length === 0 ? value : {};
  if (names.length > 0) copy(value as Json, to[name] as Json, names);
}

function withoutSecrets(schema: DescMessage, json: Json): Json {
  if (schema.typeName.startsWith("google.protobuf.")) return json;
  return Object.fromEntries(
    schema.fields.flatMap((field) => {
      const value = json[field.jsonName];
      return value === undefined ? [] : [[field.jsonName, plainValue(field, value)]];
    }),
  );
}

function plainValue(field: DescField, value: JsonValue): JsonValue {
  if (isSecret(field)) return placeholderOf(field);
  if (field.message === undefined) return value;
  const inner = field.message;
  if (field.fieldKind === "list") return (value as Json[]).map((item) => withoutSecrets(inner, item));
  if (field.fieldKind === "map") {
    return Object.fromEntries(
      Object.entries(value as Json).map(([key, item]) => [key, withoutSecrets(inner, item as Json)]),
    );
  }
  return inner.typeName.startsWith("google.protobuf.") ? value : withoutSecrets(inner, value as Json);
}

/** Whether the value of a field is a secret, by the contract. */
export const isSecret = (field: DescField): boolean => getOption(field, secret);

/** What stands for a secret. */
export const placeholderOf = ({ name }: DescField): string => `<${name}>`;
