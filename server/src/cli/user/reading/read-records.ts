import { CommandError } from "../../command-error.ts";
import type { Form } from "../sources/source.ts";
import { createCsvFramer } from "./csv-framer.ts";
import { guessDelimiter, parseCsvRow, toCsvRecord } from "./csv-row.ts";
import { createJsonFramer } from "./json-framer.ts";
import { decodeItem, parseJsonItem } from "./parse-item.ts";
import type { Parsed } from "./parse-record.ts";
import { largestItem, readItems, readStart } from "./read-items.ts";

/** An entry of a file, with its number from 1; with CSV the header is the first. */
export type NumberedEntry = Parsed & { readonly row: number };

export interface ReadOptions {
  readonly formOf: (first: string) => Form;
  /** Of CSV; guessed from the header otherwise. */
  readonly delimiter: string | undefined;
  /** Columns of CSV of which the header must have at least one. */
  readonly columns: readonly string[];
}

/** Reads the entries of a file of either form, one at a time. */
export async function* readRecords(path: string, options: ReadOptions): AsyncGenerator<NumberedEntry> {
  const start = (await readStart(path, 4096)).toString("latin1");
  const first = /[^\s\u00ef\u00bb\u00bf]/.exec(start)?.[0] ?? "";
  const form = options.formOf(first);
  if (form.kind === "csv") return yield* readCsv(path, options);
  if (first !== "{" && first !== "[" && first !== "") {
    throw new CommandError(`${path} is not JSON`, { fix: "check --from, and the format of the export" });
  }
  const { member } = form;
  let row = 0;
  for await (const item of readItems(
    path,
    createJsonFramer({ limit: largestItem, ...(member !== undefined && { member }) }),
  )) {
    row++;
    yield { row, ...parseJsonItem(item) };
  }
  if (row === 0) {
    throw new CommandError(`${path} has no users`, { fix: "check --from, and what the export contains" });
  }
}

async function* readCsv(path: string, { delimiter: given, columns }: ReadOptions): AsyncGenerator<NumberedEntry> {
  let row = 0;
  let delimiter = given ?? ",";
  let header: readonly string[] = [];
  for await (const item of readItems(path, createCsvFramer({ limit: largestItem }))) {
    row++;
    const decoded = decodeItem(item);
    if (row === 1) {
      if ("text" in decoded) delimiter = given ?? guessDelimiter(decoded.text);
      header = "text" in decoded ? (parseCsvRow(decoded.text, delimiter) ?? []).map((name) => name.trim()) : [];
      checkHeader(path, header, columns);
    } else if ("problem" in decoded) yield { row, ...decoded };
    else yield { row, ...toCsvRecord(header, parseCsvRow(decoded.text, delimiter)) };
  }
}

function checkHeader(path: string, header: readonly string[], columns: readonly string[]): void {
  const repeated = header.find((name, index) => header.indexOf(name) !== index);
  if (repeated !== undefined) {
    throw new CommandError(`${path} has two columns ${repeated}`, { fix: "rename or remove one of them" });
  }
  if (columns.some((column) => header.includes(column))) return;
  throw new CommandError(`${path} has none of the columns ${columns.join(", ")}`, {
    fix: "name the columns with --map, for example --map email=Mail, and the separator with --delimiter",
  });
}
