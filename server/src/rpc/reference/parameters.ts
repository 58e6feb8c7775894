import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { isRequired, present, type Schema } from "./schema-of-rules.ts";
import { fieldSchema, type SchemaBook } from "./schemas.ts";

/**
 * Returns the variables of a path template by the fields that they set: `/v2/users/{user_id}`, `/roles/{role_key=**}`.
 */
export const variablesOf = (template: string): string[] =>
  Array.from(template.matchAll(/\{([a-z0-9_]+)(?:=\*{1,2})?\}/g), ([, name = ""]) => name);

/**
 * Returns the path with its variables as `{}`: OpenAPI treats two templates of one shape as the same path, whatever
 * their variable names.
 */
export const shapeOf = (template: string): string => template.replace(/\{[^}]*\}/g, "{}");

/** Returns the path of a template with other names for its variables, in their order. */
export function withNames(template: string, names: readonly string[]): string {
  let index = 0;
  return template.replace(/\{[^}]*\}/g, () => `{${names[index++]}}`);
}

/** Describes a variable of a path as a parameter. */
export function pathParameter(book: SchemaBook, field: DescField, name: string, takesSlashes: boolean): Schema {
  const { description = "", ...schema } = fieldSchema(book, field, "request");
  const slashes = takesSlashes ? ["May have slashes, which stand in the path as they are."] : [];
  const text = [description, ...slashes].filter((part) => part !== "").join(" ");
  return present({ name, in: "path", required: true, description: text === "" ? undefined : text, schema });
}

/** Describes the fields in the query: `a=1&a=2` fills a list, `query.limit=10` a field of a message. */
export function queryParameters(book: SchemaBook, message: DescMessage, without: ReadonlySet<string>): Schema[] {
  return fill(message, "", new Set([message.typeName]), without).map(({ field, path }) => {
    const { description, deprecated, ...schema } = fieldSchema(book, field, "request");
    const isNeeded = isRequired(field) && !path.includes(".");
    return present({ name: path, in: "query", required: isNeeded || undefined, description, deprecated, schema });
  });
}

interface QueryField {
  readonly field: DescField;
  readonly path: string;
}

// A list of messages cannot be in a query, and a recursive message would have no end.
function fill(
  message: DescMessage,
  prefix: string,
  above: ReadonlySet<string>,
  without: ReadonlySet<string>,
): QueryField[] {
  return message.fields.flatMap((field): QueryField[] => {
    if (without.has(field.name) || field.fieldKind === "map") return [];
    const path = prefix + field.jsonName;
    if (field.message === undefined || hasTextForm(field.message)) return [{ field, path }];
    if (field.fieldKind === "list" || above.has(field.message.typeName)) return [];
    return fill(field.message, `${path}.`, new Set([...above, field.message.typeName]), new Set());
  });
}

const hasTextForm = ({ typeName }: DescMessage): boolean =>
  typeName === "google.protobuf.Timestamp" || typeName === "google.protobuf.Duration";
