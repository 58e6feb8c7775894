import { type DescField, type DescMessage, type DescMethodUnary, ScalarType } from "@bufbuild/protobuf";
import type { TextKey } from "../../text/catalogue.ts";

/** A value of a settings field, as a form holds it. Times are numbers of the field's unit. */
type SettingValue = boolean | string | number | readonly string[];
export type SettingValues = Readonly<Record<string, SettingValue>>;

/** How a field is edited, and what a number counts. */
type SettingKind = "flag" | "choices" | "text" | "lines" | "count" | "minutes" | "hours" | "days";

export interface SettingField {
  /** Name in the messages of the contract; `record.field` within a record. */
  readonly name: string;
  readonly kind: SettingKind;
  readonly text: TextKey;
  readonly hint?: TextKey;
  /** The values of an enumeration among which several may be chosen. */
  readonly choices?: readonly (readonly [value: number, text: TextKey])[];
  /** What counts where the number is 0. */
  readonly usual?: number;
}

type Method = DescMethodUnary<DescMessage, DescMessage>;

/** One document of settings: its fields, and its methods. */
export interface SettingsDocument {
  /** Last part of its address. */
  readonly path: string;
  readonly title: TextKey;
  readonly lead: TextKey;
  readonly fields: readonly SettingField[];
  readonly get: Method;
  readonly update: Method;
  /** Absent where only the instance has the document. */
  readonly reset?: Method;
  /** What changing it takes, where that is not `policy.write` (of the instance: `iam.policy.write`). */
  readonly permission?: string;
}

/** What is read of a document. */
export interface ReadDocument {
  readonly values: SettingValues;
  readonly etag: string;
  /** The level has a document of its own. */
  readonly isOwn: boolean;
  /** Names of own fields that differ from the level above. */
  readonly differing: readonly string[];
}

interface Answer {
  readonly settings?: object;
  readonly origin?: {
    readonly etag: string;
    readonly ownFields?: { readonly paths: readonly string[] };
    readonly differingFields?: { readonly paths: readonly string[] };
  };
}

/** Returns what a form needs of an answer of the contract. */
export function toDocument({ fields }: SettingsDocument, answer: object): ReadDocument {
  const { settings = {}, origin } = answer as Answer;
  return {
    values: Object.fromEntries(fields.map(({ name, kind }) => [inForm(name), toValue(kind, valueAt(settings, name))])),
    etag: origin?.etag ?? "",
    isOwn: (origin?.ownFields?.paths.length ?? 0) > 0,
    differing: (origin?.differingFields?.paths ?? []).map(toCamelCase),
  };
}

const secondsOf = { minutes: 60, hours: 3600, days: 86_400 } as const;

/** Name of a field in a form, where a dot would stand for a record. */
export const inForm = (name: string): string => name.replaceAll(".", "_");

const toSnakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Returns the name of a field from its path in a mask. */
const toCamelCase = (path: string): string => path.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

const valueAt = (message: object, name: string): unknown =>
  name.split(".").reduce<unknown>((at, part) => (at as Record<string, unknown> | undefined)?.[part], message);

function toValue(kind: SettingKind, value: unknown): SettingValue {
  if (kind === "flag") return value === true || value === 1;
  if (kind === "choices") return ((value as readonly number[] | undefined) ?? []).map(String).sort();
  if (kind === "lines") return (value as readonly string[] | undefined)?.join("\n") ?? "";
  if (kind === "text") return String(value ?? "");
  if (kind === "count") return Number(value ?? 0);
  return Number((value as { readonly seconds: bigint } | undefined)?.seconds ?? 0) / secondsOf[kind];
}

/** Returns the fields whose value is not the one that was read. */
export const changedFields = (
  fields: readonly SettingField[],
  read: SettingValues,
  values: SettingValues,
): readonly SettingField[] =>
  fields.filter(({ name }) => comparable(read[inForm(name)]) !== comparable(values[inForm(name)]));

// In which order choices were made means nothing.
const comparable = (value: SettingValue | undefined): string =>
  typeof value === "object" ? value.toSorted().join() : String(value).trim();

/** Returns the part of a request that changes these fields, and no other. */
export function toChange(
  { update }: SettingsDocument,
  changed: readonly SettingField[],
  values: SettingValues,
): { readonly settings: object; readonly updateMask: { readonly paths: string[] } } {
  const message = update.input.field["settings"]?.message;
  const settings: Record<string, unknown> = {};
  for (const { name, kind } of changed) {
    const [first = "", second] = name.split(".");
    const field = second === undefined ? message?.field[first] : message?.field[first]?.message?.field[second];
    const value = toField(kind, values[inForm(name)] ?? "", field);
    settings[first] = second === undefined ? value : { ...(settings[first] as object | undefined), [second]: value };
  }
  return { settings, updateMask: { paths: changed.map(({ name }) => toSnakeCase(name)) } };
}

function toField(kind: SettingKind, value: SettingValue, field: DescField | undefined): unknown {
  // Some flags are enumerations of two values in the contract.
  if (kind === "flag") return field?.enum !== undefined ? Number(value) : value === true;
  if (kind === "choices") return (value as readonly string[]).map(Number).sort();
  if (kind === "text") return String(value).trim();
  if (kind === "lines")
    return String(value)
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "");
  if (kind === "count") {
    const count = Math.trunc(Number(value));
    return field?.scalar === ScalarType.UINT32 ? count : BigInt(count);
  }
  return { seconds: BigInt(Math.round(Number(value) * secondsOf[kind])), nanos: 0 };
}
