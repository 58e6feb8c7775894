import { type DescEnum, type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence } from "@bufbuild/protobuf/wkt";
import { isRequired, keywordsOf, present, rulesOf, type Schema, sentencesOf } from "./schema-of-rules.ts";

/**
 * The direction of a value. Requests accept both forms of 64-bit integers and mark required fields. REST responses
 * contain every field and write numbers; Connect responses omit empty fields and write 64-bit integers as text.
 */
export type Direction = "request" | "rest" | "connect";

/** Schemas of messages, each once, as components that refer to one another. */
export interface SchemaBook {
  /** Requests and responses of methods: their schemas have plain names. */
  readonly roots: ReadonlyMap<string, Direction>;
  readonly commentOf: (name: string) => string;
  readonly components: Map<string, Schema>;
  /** By message: the fields that paths have taken from its bodies. */
  readonly bodies: Map<string, string[]>;
}

/** The components so far, by name. */
export const componentsOf = ({ components }: SchemaBook): Readonly<Record<string, Schema>> =>
  Object.fromEntries([...components].sort(([left], [right]) => (left < right ? -1 : 1)));

/** Returns the schema of a message, as a reference. */
export function referMessage(book: SchemaBook, message: DescMessage, direction: Direction): Schema {
  const { fields, typeName } = message;
  const name = nameOf(book, typeName, direction);
  return wellKnown[typeName] ?? put(book, name, () => objectSchema(book, fields, { direction, typeName }));
}

/** Returns the schema of a request without the fields in the path, and whether any of it is required. */
export function referBody(
  book: SchemaBook,
  message: DescMessage,
  inPath: ReadonlySet<string>,
): { readonly schema: Schema; readonly isRequired: boolean } {
  const { typeName } = message;
  const fields = message.fields.filter(({ name }) => !inPath.has(name));
  const isWhole = fields.length === message.fields.length;
  const schema = isWhole
    ? referMessage(book, message, "request")
    : put(book, bodyName(book, typeName, [...inPath].sort().join()), () =>
        objectSchema(book, fields, { direction: "request", typeName }),
      );
  return { schema, isRequired: fields.some(isRequired) };
}

/** Returns the schema of one field, with its rules and its comment. */
export function fieldSchema(book: SchemaBook, field: DescField, direction: Direction): Schema {
  const schema = { ...valueOrList(book, field, direction), ...keywordsOf(field, rulesOf(field)) };
  const text = describe(book, field);
  return { ...schema, ...(text !== "" && { description: text }), ...(field.deprecated && { deprecated: true }) };
}

function put({ components }: SchemaBook, name: string, make: () => Schema): Schema {
  if (!components.has(name)) {
    // Registered before its fields are visited, because messages may contain themselves.
    components.set(name, {});
    components.set(name, make());
  }
  return { $ref: `#/components/schemas/${name}` };
}

function nameOf({ roots }: SchemaBook, typeName: string, direction: Direction): string {
  if (direction === "rest" || roots.get(typeName) === direction) return typeName;
  return `${typeName}.${direction === "request" ? "Input" : "Connect"}`;
}

// Routes of one method may have different path variables, and therefore different bodies.
function bodyName({ bodies }: SchemaBook, typeName: string, inPath: string): string {
  const known = bodies.get(typeName) ?? [];
  bodies.set(typeName, known);
  if (!known.includes(inPath)) known.push(inPath);
  const index = known.indexOf(inPath);
  return `${typeName}.Body${index === 0 ? "" : index + 1}`;
}

function objectSchema(
  book: SchemaBook,
  fields: readonly DescField[],
  { direction, typeName }: { readonly direction: Direction; readonly typeName: string },
): Schema {
  const required = fields.filter((field) => isAlwaysThere(field, direction)).map(({ jsonName }) => jsonName);
  return present({
    type: "object",
    description: book.commentOf(typeName) || undefined,
    properties: Object.fromEntries(fields.map((field) => [field.jsonName, fieldSchema(book, field, direction)])),
    required: required.length === 0 ? undefined : required,
    not: direction === "request" ? togetherRefused(fields) : undefined,
  });
}

/** Describes what a request may not contain: two fields of one choice. */
function togetherRefused(fields: readonly DescField[]): Schema | undefined {
  const pairs = fields.flatMap((field, index) =>
    fields
      .slice(index + 1)
      .filter(({ oneof }) => oneof !== undefined && oneof === field.oneof)
      .map((other) => ({ required: [field.jsonName, other.jsonName] })),
  );
  return pairs.length === 0 ? undefined : { anyOf: pairs };
}

function valueOrList(book: SchemaBook, field: DescField, direction: Direction): Schema {
  switch (field.fieldKind) {
    case "list": {
      const { kind } = rulesOf(field) ?? {};
      const items = kind?.case === "repeated" ? kind.value.items : undefined;
      return { type: "array", items: { ...valueSchema(book, field, direction), ...keywordsOf(field, items) } };
    }
    case "map":
      return { type: "object", additionalProperties: valueSchema(book, field, direction) };
    default:
      return valueSchema(book, field, direction);
  }
}

function valueSchema(book: SchemaBook, field: DescField, direction: Direction): Schema {
  if (field.message !== undefined) return referMessage(book, field.message, direction);
  if (field.enum !== undefined) return referEnum(book, field.enum);
  return scalarSchema(field.scalar, direction);
}

function referEnum(book: SchemaBook, { typeName, values }: DescEnum): Schema {
  return put(book, typeName, () => {
    const lines = values.flatMap(({ name }) => {
      const text = book.commentOf(`${typeName}.${name}`);
      return text === "" ? [] : [`- \`${name}\`: ${text}`];
    });
    const text = [book.commentOf(typeName), lines.join("\n")].filter((part) => part !== "").join("\n\n");
    return present({ type: "string", enum: values.map(({ name }) => name), description: text || undefined });
  });
}

function describe({ commentOf }: SchemaBook, field: DescField): string {
  const comment = commentOf(`${field.parent.typeName}.${field.name}`);
  const others = field.oneof?.fields.filter((other) => other !== field).map(({ jsonName }) => `\`${jsonName}\``) ?? [];
  const choice = others.length === 0 ? [] : [`Not together with ${others.join(", ")}.`];
  return [comment, ...sentencesOf(rulesOf(field)), ...choice].filter((part) => part !== "").join(" ");
}

/**
 * Whether a field is in every value: REST responses contain fields with implicit presence, and requests must contain
 * required ones.
 */
function isAlwaysThere(field: DescField, direction: Direction): boolean {
  switch (direction) {
    case "request":
      return isRequired(field);
    case "rest": {
      const isMany = field.fieldKind === "list" || field.fieldKind === "map";
      return isMany || field.presence === FeatureSet_FieldPresence.IMPLICIT;
    }
    case "connect":
      return false;
    default:
      return direction satisfies never;
  }
}

function scalarSchema(scalar: ScalarType | undefined, direction: Direction): Schema {
  switch (scalar) {
    case ScalarType.BOOL:
      return { type: "boolean" };
    case ScalarType.STRING:
      return { type: "string" };
    case ScalarType.BYTES:
      return { type: "string", contentEncoding: "base64" };
    case ScalarType.DOUBLE:
    case ScalarType.FLOAT:
      return { type: "number", format: scalar === ScalarType.FLOAT ? "float" : "double" };
    case ScalarType.INT64:
    case ScalarType.SINT64:
    case ScalarType.SFIXED64:
      return { type: typeOf64[direction], format: "int64" };
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return { type: typeOf64[direction], format: "int64", minimum: 0 };
    case ScalarType.UINT32:
    case ScalarType.FIXED32:
      return { type: "integer", format: "int64", minimum: 0, maximum: 4_294_967_295 };
    default:
      return { type: "integer", format: "int32" };
  }
}

const typeOf64 = { request: ["integer", "string"], rest: "integer", connect: "string" } as const;

/** Protobuf types with a JSON form of their own (protobuf JSON mapping). */
const wellKnown: Readonly<Record<string, Schema>> = {
  "google.protobuf.Timestamp": { type: "string", format: "date-time" },
  "google.protobuf.Duration": { type: "string", pattern: "^-?\\d+(\\.\\d{1,9})?s$", examples: ["3600s"] },
  "google.protobuf.FieldMask": { type: "string", examples: ["minLength,requiresNumber"] },
  "google.protobuf.Struct": { type: "object", additionalProperties: true },
  "google.protobuf.Empty": { type: "object" },
};
