import { guessDelimiter, parseCsvRow, toCsvRecord } from "../../../../server/src/cli/user/reading/csv-row.ts";
import { type Parsed, parseRecord } from "../../../../server/src/cli/user/reading/parse-record.ts";
import type { Form } from "../../../../server/src/cli/user/sources/source.ts";

/** What a page reads into memory. Larger files are for `doorward user import`, which reads them entry by entry. */
export const mostMegabytes = 50;
export const mostUsers = 100_000;

/** Why a file is not read. */
export type FileProblem = "size" | "count" | "form";

/** An entry of a file, with its number from 1; with CSV the header is the first. */
export type Entry = Parsed & { readonly row: number };

export interface UserFile {
  readonly name: string;
  readonly entries: readonly Entry[];
  /** The columns of CSV. */
  readonly columns: readonly string[];
}

/** Reads the entries of a file, or says why not. */
export async function readUserFile(file: File, formOf: (first: string) => Form): Promise<UserFile | FileProblem> {
  const text = await readText(file);
  if (text === undefined) return file.size > mostMegabytes * 1_000_000 ? "size" : "form";
  const form = formOf(text.trimStart().charAt(0));
  const { name } = file;
  const read = form.kind === "csv" ? readCsv(text) : { columns: [], entries: readJson(text, form.member) };
  if (read === undefined || read.entries.length === 0) return "form";
  return read.entries.length > mostUsers ? "count" : { name, ...read };
}

/** Returns the text of a file; undefined if it is too large, or not UTF-8. */
export async function readText(file: File): Promise<string | undefined> {
  if (file.size > mostMegabytes * 1_000_000) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    return undefined;
  }
}

/** Returns the entries of JSON: of an array, of the array in a member of an object, or an object on each line. */
export function readJson(text: string, member: string | undefined): readonly Entry[] {
  const isArray = text.trimStart().startsWith("[");
  const whole = parseRecord(isArray ? `{"entries":${text}}` : text);
  if ("record" in whole) {
    const list = isArray ? whole.record["entries"] : member === undefined ? [whole.record] : whole.record[member];
    return Array.isArray(list) ? list.map((entry, index) => ({ row: index + 1, ...toRecord(entry) })) : [];
  }
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const entries = lines.map((line, index) => ({ row: index + 1, ...parseRecord(line) }));
  return entries.some((entry) => "record" in entry) ? entries : [];
}

const toRecord = (entry: unknown): Parsed =>
  typeof entry === "object" && entry !== null && !Array.isArray(entry)
    ? { record: entry as Record<string, unknown> }
    : { problem: "the entry is not an object" };

function readCsv(text: string): Pick<UserFile, "columns" | "entries"> | undefined {
  const [header = "", ...rows] = cutCsv(text);
  const delimiter = guessDelimiter(header);
  const columns = (parseCsvRow(header, delimiter) ?? []).map((name) => name.trim());
  if (columns.length === 0 || new Set(columns).size < columns.length) return undefined;
  // The header is the first row.
  return {
    columns,
    entries: rows.map((row, index) => ({ row: index + 2, ...toCsvRecord(columns, parseCsvRow(row, delimiter)) })),
  };
}

/** Cuts CSV into its records (RFC 4180): lines, where line breaks between quotes do not count. */
function cutCsv(text: string): string[] {
  const records: string[] = [];
  let start = 0;
  let isQuoted = false;
  for (let index = 0; index <= text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 0x22) isQuoted = !isQuoted;
    if (index < text.length && (isQuoted || (code !== 0x0a && code !== 0x0d))) continue;
    if (index > start) records.push(text.slice(start, index));
    start = index + 1;
  }
  return records;
}
