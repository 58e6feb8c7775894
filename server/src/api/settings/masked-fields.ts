import { isDeepStrictEqual } from "node:util";
import { Fault } from "../../base/fault.ts";
import { isRecord } from "../../base/json.ts";
import { nearestName } from "./nearest-name.ts";

/** A field of a settings document as a field mask of version 2 names it. */
export interface MaskedField {
  /** `min_length`, `light_theme.primary_color` */
  readonly path: string;
  /** The value as messages have it. */
  readonly read: (document: object) => unknown;
  /** Returns the document with the value that a message has for this field. */
  readonly take: (document: object, message: object) => object;
}

interface Member {
  readonly name: string;
  readonly write: (value: never) => unknown;
  readonly read: (given: never) => unknown;
}

type Row = { readonly v2?: Member };

/** A record within a document: its name in the message and in the document, and its own table. */
type RecordOf = readonly [name: string, table: object];

/** Returns the fields of version 2 that a table names, and those of records within the document. */
export function maskedFields(
  table: object,
  defaults: object,
  records: Readonly<Record<string, RecordOf>> = {},
): readonly MaskedField[] {
  const plain = fieldsOf(table, defaults);
  const nested = Object.entries(records).flatMap(([inDocument, [inMessage, fields]]) =>
    fieldsOf(fields, recordIn(defaults, inDocument)).map(
      ({ path, read, take }): MaskedField => ({
        path: `${toSnakeCase(inMessage)}.${path}`,
        read: (document) => read(recordIn(document, inDocument)),
        take: (document, message) => ({
          ...document,
          [inDocument]: take(recordIn(document, inDocument), recordIn(message, inMessage)),
        }),
      }),
    ),
  );
  return [...plain, ...nested];
}

function fieldsOf(table: object, defaults: object): readonly MaskedField[] {
  return Object.entries(table as Readonly<Record<string, Row>>).flatMap(([field, { v2 }]): MaskedField[] => {
    if (v2 === undefined) return [];
    const initial = valueIn(defaults, field);
    const read = (document: object): unknown => {
      const value = valueIn(document, field);
      const written = value === undefined ? undefined : v2.write(value as never);
      // Messages do not tell an empty list from an absent one.
      return Array.isArray(written) && written.length === 0 ? undefined : written;
    };
    const take = (document: object, message: object): object => {
      const given = valueIn(message, v2.name);
      // A named field without a value gets its default, which some documents do not store.
      const value = (given === undefined ? undefined : v2.read(given as never)) ?? initial;
      const { [field]: _, ...others } = document as Readonly<Record<string, unknown>>;
      const changed = value === undefined ? others : { ...document, [field]: value };
      // What messages do not tell apart is no change.
      return isDeepStrictEqual(read(changed), read(document)) ? document : changed;
    };
    return [{ path: toSnakeCase(v2.name), read, take }];
  });
}

const maximumPaths = 100;

/**
 * Returns the fields that a mask names. The name of a record stands for all its fields. Refuses a mask that names
 * nothing, and names that the document does not have.
 */
export function fieldsInMask(fields: readonly MaskedField[], paths: readonly string[]): readonly MaskedField[] {
  const field = "updateMask";
  if (paths.length === 0) throw new Fault("invalid_argument", "field.required", { field, values: { field } });
  if (paths.length > maximumPaths) {
    throw new Fault("invalid_argument", "field.too_many", { field, values: { field, maximum: maximumPaths } });
  }
  const named = new Set<MaskedField>();
  for (const given of paths) {
    const path = toSnakeCase(given);
    const found = fields.filter((one) => one.path === path || one.path.startsWith(`${path}.`));
    if (found.length === 0) throw unknownPath(fields, given);
    for (const one of found) named.add(one);
  }
  return [...named];
}

function unknownPath(fields: readonly MaskedField[], given: string): Fault {
  const name = given.slice(0, 100);
  const nearest = nearestName(
    toSnakeCase(name),
    fields.map(({ path }) => path),
  );
  return new Fault("invalid_argument", "settings.field_unknown", { field: "updateMask", values: { name, nearest } });
}

/** Returns the paths of the fields in which two documents differ. */
export const differences = (fields: readonly MaskedField[], left: object, right: object): readonly string[] =>
  fields.filter(({ read }) => !isDeepStrictEqual(read(left), read(right))).map(({ path }) => path);

const valueIn = (record: object, name: string): unknown => (record as Readonly<Record<string, unknown>>)[name];

function recordIn(record: object, name: string): object {
  const value = valueIn(record, name);
  return isRecord(value) ? value : {};
}

const toSnakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
