import type { TextKey } from "../../text/catalogue.ts";

/** A value of a settings field, as a form holds it. Instants of time are numbers of the field's unit. */
type SettingValue = boolean | string | number;
export type SettingValues = Readonly<Record<string, SettingValue>>;

/** How a field is edited, and what a number counts. */
type SettingKind = "flag" | "text" | "lines" | "count" | "minutes" | "hours" | "days";

export interface SettingField {
  /** Name in the messages of the contract. */
  readonly name: string;
  readonly kind: SettingKind;
  readonly text: TextKey;
  readonly hint?: TextKey;
}

/** Where a document is read from and written to, at one level. */
export interface SettingsAccess {
  readonly read: () => Promise<{ readonly policy: object | undefined; readonly isDefault: boolean }>;
  /** Writes the whole document. `isDefault`: the level had none of its own until now. */
  readonly write: (values: object, isDefault: boolean) => Promise<unknown>;
  /** Goes back to what the instance says; absent at the instance. */
  readonly reset?: () => Promise<unknown>;
  readonly writePermission: string;
}

/** One document of settings: its fields, and how it is accessed at the instance and in an organization. */
export interface SettingsDocument {
  /** Last part of its address. */
  readonly path: string;
  readonly title: TextKey;
  readonly lead: TextKey;
  readonly fields: readonly SettingField[];
}

const secondsOf = { minutes: 60, hours: 3600, days: 86_400 } as const;

/** Returns the values of a form from a message of the contract. */
export function toValues(fields: readonly SettingField[], message: object): SettingValues {
  const values = message as Readonly<Record<string, unknown>>;
  return Object.fromEntries(fields.map(({ name, kind }) => [name, toValue(kind, values[name])]));
}

function toValue(kind: SettingKind, value: unknown): SettingValue {
  if (kind === "flag") return value === true || value === 1;
  if (kind === "lines") return (value as readonly string[] | undefined)?.join("\n") ?? "";
  if (kind === "text") return String(value ?? "");
  if (kind === "count") return Number(value ?? 0);
  return Number((value as { readonly seconds: bigint } | undefined)?.seconds ?? 0) / secondsOf[kind];
}

/** Returns the fields of a request from the values of a form. What the form does not have is kept from `message`. */
export function toRequest(fields: readonly SettingField[], message: object, values: SettingValues): object {
  const { details: _, isDefault: __, $typeName: ___, ...kept } = message as Record<string, unknown>;
  const written = fields.map(({ name, kind }) => [name, toField(kind, values[name] ?? "", kept[name])]);
  return { ...kept, ...Object.fromEntries(written) };
}

function toField(kind: SettingKind, value: SettingValue, former: unknown): unknown {
  // Some flags are enums of two values in the contract.
  if (kind === "flag") return typeof former === "number" ? Number(value) : value === true;
  if (kind === "text") return String(value).trim();
  if (kind === "lines")
    return String(value)
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "");
  if (kind === "count") return typeof former === "bigint" ? BigInt(value) : Number(value);
  return { seconds: BigInt(Math.round(Number(value) * secondsOf[kind])), nanos: 0 };
}

/** Returns a request with plain numbers: those of many answers are wider than those of the requests. */
export const narrow = (values: object): object =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === "bigint" ? Number(value) : value]),
  );
