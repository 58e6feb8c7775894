/** How a value of a settings document is written in one generation of the contract, and read from its requests. */
export interface Codec<Value, Wire, Given> {
  /** Undefined leaves the member out. */
  readonly write: (value: Value) => Wire;
  /** Undefined leaves the value as it was. */
  readonly read: (given: Given) => Value | undefined;
}

/** A kind of value: how each generation writes it. */
export interface FieldKind<Value, Wire2, Wire1 = Wire2, Given2 = Wire2, Given1 = Wire1> {
  readonly v2: Codec<Value, Wire2, Given2>;
  readonly v1: Codec<Value, Wire1, Given1>;
}

interface Member<Name extends string, Value, Wire, Given> extends Codec<Value, Wire, Given> {
  readonly name: Name;
}

type Generation = "v1" | "v2";

/** Which members of the contract a field of a document is; absent where a generation does not have it. */
interface Field<Value> {
  readonly v2?: Member<string, Value, unknown, never>;
  readonly v1?: Member<string, Value, unknown, never>;
}

/** A table with every field of a document: one that is missing, or of another type, does not compile. */
export type FieldsOf<Document> = { readonly [Name in keyof Document]-?: Field<NonNullable<Document[Name]>> };

type NameIn<Message> = keyof Message & string;

/**
 * Returns the words for the rows of a table. A name that the message does not have, or of another type, does not
 * compile.
 */
export const fieldsIn = <Message2, Message1 = never>() => ({
  /** A field of both generations, under the name of each. */
  both: <
    Name2 extends NameIn<Message2>,
    Name1 extends NameIn<Message1>,
    Value,
    Wire2 extends Message2[Name2],
    Wire1 extends Message1[Name1],
    Given2,
    Given1,
  >(
    name2: Name2,
    name1: Name1,
    kind: FieldKind<Value, Wire2, Wire1, Given2, Given1>,
  ) => ({ v2: { name: name2, ...kind.v2 }, v1: { name: name1, ...kind.v1 } }),
  /** A field of version 2 alone. */
  onlyV2: <Name2 extends NameIn<Message2>, Value, Wire2 extends Message2[Name2], Given2>(
    name2: Name2,
    { v2 }: { readonly v2: Codec<Value, Wire2, Given2> },
  ) => ({ v2: { name: name2, ...v2 } }),
  /** A field of version 1 alone. */
  onlyV1: <Name1 extends NameIn<Message1>, Value, Wire1 extends Message1[Name1], Given1>(
    name1: Name1,
    { v1 }: { readonly v1: Codec<Value, Wire1, Given1> },
  ) => ({ v1: { name: name1, ...v1 } }),
});

/** A field that the contract does not have. */
export const unnamed = {} as const;

type MembersOf<Fields, In extends Generation> = Fields[keyof Fields] extends infer Row
  ? Row extends { readonly [Key in In]: infer Found extends { readonly name: string } }
    ? Found
    : never
  : never;

/** What a table writes into a message. */
export type Written<Fields, In extends Generation> = {
  -readonly [Each in MembersOf<Fields, In> as Each["name"]]: Each extends { write: (value: never) => infer Wire }
    ? Wire
    : never;
};

/** What a table reads from a request. An absent member leaves the value as it was. */
export type Given<Fields, In extends Generation> = {
  readonly [Each in MembersOf<Fields, In> as Each["name"]]?:
    | (Each extends { read: (given: infer Wire) => unknown } ? Wire : never)
    | undefined;
};

/** Returns the members of a message that hold the fields of a document. */
export function writeFields<Document extends object, Fields extends FieldsOf<Document>, In extends Generation>(
  fields: Fields,
  generation: In,
  settings: Document,
): Written<Fields, In> {
  const members = rows(fields, generation).flatMap(({ field, member }) => {
    const value = settings[field as keyof Document];
    const wire = value === undefined ? undefined : member.write(value as never);
    return wire === undefined ? [] : [[member.name, wire] as const];
  });
  return Object.fromEntries(members) as Written<Fields, In>;
}

/** Returns the document with the members that a request names. */
export function readFields<Document extends object, Fields extends FieldsOf<Document>, In extends Generation>(
  fields: Fields,
  generation: In,
  { given, current }: { readonly given: Given<Fields, In>; readonly current: Document },
): Document {
  const values = rows(fields, generation).flatMap(({ field, member }) => {
    const wire: unknown = given[member.name as keyof Given<Fields, In>];
    const value = wire === undefined ? undefined : member.read(wire as never);
    return value === undefined ? [] : [[field, value] as const];
  });
  return { ...current, ...Object.fromEntries(values) };
}

interface AnyMember {
  readonly name: string;
  readonly write: (value: never) => unknown;
  readonly read: (given: never) => unknown;
}

const rows = (fields: object, generation: Generation) =>
  Object.entries(fields as Readonly<Record<string, { readonly [In in Generation]?: AnyMember }>>).flatMap(
    ([field, row]) => (row[generation] === undefined ? [] : [{ field, member: row[generation] }]),
  );
