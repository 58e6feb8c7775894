import type { CsvField } from "../source-kinds.ts";
import { type Source, type SourceUser, toSourceUser, UserRefused } from "./source.ts";
import { type SourceRecord, textOf } from "./values.ts";

/** Columns by the field that they have; `metadata.plan` and `link.google` name entries. */
export type ColumnMap = ReadonlyMap<string, string>;

/** CSV of any system, with a header. */
export const csvSource = (columns: ColumnMap): Source => ({
  formOf: () => ({ kind: "csv" }),
  toUser: (record) => toUser(record, columns),
});

const words = {
  yes: ["true", "1", "yes", "y", "t"],
  no: ["", "false", "0", "no", "n", "f"],
};

function toUser(record: SourceRecord, columns: ColumnMap): SourceUser {
  const text = (field: CsvField): string => textOf(record, columns.get(field) ?? field);
  const flag = (field: CsvField): boolean => {
    const value = text(field).toLowerCase();
    if (words.yes.includes(value)) return true;
    if (words.no.includes(value)) return false;
    // A guess could let a disabled user in, or call an address verified.
    throw new UserRefused(field, `the column ${columns.get(field)} has neither true nor false`);
  };
  return toSourceUser({
    id: text("id"),
    username: text("username"),
    email: text("email"),
    isEmailVerified: flag("emailVerified"),
    phone: text("phone"),
    isPhoneVerified: flag("phoneVerified"),
    givenName: text("givenName"),
    familyName: text("familyName"),
    displayName: text("displayName"),
    nickName: text("nickName"),
    language: text("language"),
    passwordHash: text("passwordHash"),
    isPasswordChangeRequired: flag("passwordChangeRequired"),
    totpSecret: text("totpSecret"),
    links: named(record, columns, "link.").map(([provider, userId]) => ({ provider, userId, username: undefined })),
    roles: text("roles")
      .split(/[,;|]/)
      .map((role) => role.trim())
      .filter((role) => role !== ""),
    metadata: Object.fromEntries(named(record, columns, "metadata.")),
    isDisabled: flag("disabled"),
  });
}

function named(record: SourceRecord, columns: ColumnMap, prefix: string): readonly (readonly [string, string])[] {
  return [...columns]
    .filter(([field]) => field.startsWith(prefix))
    .map(([field, column]) => [field.slice(prefix.length), textOf(record, column)] as const)
    .filter(([, value]) => value !== "");
}
