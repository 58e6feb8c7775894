import { type CsvField, csvFields } from "../../../../server/src/cli/user/source-kinds.ts";
import type { ColumnMap } from "../../../../server/src/cli/user/sources/csv.ts";
import { type TextKey, t } from "../../text/catalogue.ts";

/** What a column becomes: a field, an entry of metadata with its name, or nothing. */
export type Becomes = CsvField | "metadata" | "";

/** Names of columns in tables of others, without what is not a letter or digit. */
const otherNames: ReadonlyMap<string, CsvField> = new Map([
  ["userid", "id"],
  ["sub", "id"],
  ["login", "username"],
  ["mail", "email"],
  ["emailaddress", "email"],
  ["mobile", "phone"],
  ["phonenumber", "phone"],
  ["firstname", "givenName"],
  ["lastname", "familyName"],
  ["surname", "familyName"],
  ["name", "displayName"],
  ["fullname", "displayName"],
  ["locale", "language"],
  ["preferredlanguage", "language"],
]);

/** Proposes what a column becomes, by its name. */
function proposeField(column: string): Becomes {
  const plain = column.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
  return csvFields.find((field) => field.toLowerCase() === plain) ?? otherNames.get(plain) ?? "";
}

/** Proposes what the columns of a file become; a field has the first column that looks like it. */
export function proposeFields(columns: readonly string[]): ReadonlyMap<string, Becomes> {
  const taken = new Set<Becomes>();
  return new Map(
    columns.map((column) => {
      const field = proposeField(column);
      if (field === "" || taken.has(field)) return [column, ""];
      taken.add(field);
      return [column, field];
    }),
  );
}

/** Returns the choices with another one for a column. A field has one column, so it is taken from another. */
export function chooseField(
  chosen: ReadonlyMap<string, Becomes>,
  column: string,
  field: Becomes,
): ReadonlyMap<string, Becomes> {
  const isTaken = (other: Becomes): boolean => other === field && field !== "" && field !== "metadata";
  return new Map([...chosen].map(([name, other]) => [name, name === column ? field : isTaken(other) ? "" : other]));
}

// A field without a column has one that no file can have.
const noColumn = "\u0000";

/** Returns the choices as the reader of tables takes them. */
export function toColumnMap(chosen: ReadonlyMap<string, Becomes>): ColumnMap {
  const map = new Map<string, string>(csvFields.map((field) => [field, noColumn]));
  for (const [column, field] of chosen) {
    if (field !== "") map.set(field === "metadata" ? `metadata.${column}` : field, column);
  }
  return map;
}

const names: Readonly<Record<CsvField, readonly TextKey[]>> = {
  id: ["user.id"],
  username: ["user.username"],
  email: ["user.email"],
  emailVerified: ["user.email", "user.contact.verified"],
  phone: ["user.phone"],
  phoneVerified: ["user.phone", "user.contact.verified"],
  givenName: ["user.givenName"],
  familyName: ["user.familyName"],
  displayName: ["user.displayName"],
  nickName: ["user.nickName"],
  language: ["user.language"],
  passwordHash: ["import.file.hashes"],
  passwordChangeRequired: ["user.password", "user.password.mustChange"],
  totpSecret: ["user.factor.totp"],
  roles: ["user.roles.roles"],
  disabled: ["user.state.inactive"],
};

/** What a field is called. */
export const fieldName = (field: CsvField): string => names[field].map((name) => t(name)).join(": ");

/** Whether what a column has must not be shown. */
export const isSecret = (column: string, field: Becomes): boolean =>
  field === "passwordHash" || field === "totpSecret" || /pass|hash|secret|salt|pwd|token/i.test(column);
