import type { Parsed } from "./parse-record.ts";

/** Characters that may separate the fields of a record. */
const delimiters = [",", ";", "\t", "|"] as const;

/** Returns the fields of a record (RFC 4180 §2); undefined when its quotes are not paired. */
export function parseCsvRow(text: string, delimiter: string): string[] | undefined {
  const fields: string[] = [];
  let index = 0;
  for (;;) {
    let field = "";
    if (text[index] === '"') {
      for (;;) {
        const end = text.indexOf('"', index + 1);
        if (end < 0) return undefined;
        field += text.slice(index + 1, end);
        index = end + 1;
        if (text[index] !== '"') break;
        field += '"';
      }
      if (index < text.length && text[index] !== delimiter) return undefined;
    } else {
      const found = text.indexOf(delimiter, index);
      const end = found < 0 ? text.length : found;
      field = text.slice(index, end);
      if (field.includes('"')) return undefined;
      index = end;
    }
    fields.push(field);
    if (index >= text.length) return fields;
    index++;
  }
}

/** Returns the delimiter that occurs most in the first record, outside of quotes. */
export function guessDelimiter(header: string): string {
  const bare = header.replace(/"[^"]*"/g, "");
  const counts = delimiters.map((delimiter) => bare.split(delimiter).length);
  return delimiters[counts.indexOf(Math.max(...counts))] ?? ",";
}

/** Returns a record by the names in the header. */
export function toCsvRecord(header: readonly string[], fields: readonly string[] | undefined): Parsed {
  if (fields === undefined) return { problem: "quotes are not paired" };
  if (fields.length !== header.length) {
    return { problem: `the record has ${fields.length} fields, and the header ${header.length}` };
  }
  return { record: Object.fromEntries(header.map((name, index) => [name, fields[index] ?? ""])) };
}
