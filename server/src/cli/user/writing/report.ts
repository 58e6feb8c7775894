import { type FileHandle, open } from "node:fs/promises";
import { tell } from "../../command-context.ts";
import { CommandError } from "../../command-error.ts";
import { printable, printableJson } from "../../printable.ts";

/** What became of a user, or of a part of their data. */
export type What = "failed" | "exists" | "skipped" | "lost" | "changed";

/** A line of the report. Never contains a hash or another secret. */
export interface ReportLine {
  readonly file: string;
  /** Number of the entry in the file, from 1; with CSV the header is the first. */
  readonly row: number;
  readonly user: string;
  readonly field: string;
  readonly what: What;
  readonly why: string;
}

/** Where lines go. */
export interface Report {
  add(lines: readonly ReportLine[]): Promise<void>;
  close(): Promise<void>;
}

const mostShown = 20;
const longestText = 200;
const columns = ["file", "row", "user", "field", "what", "why"] as const;

/**
 * Opens a report: a file that only its owner can read (NDJSON or CSV, by its name), or the first lines on the terminal.
 */
export async function openReport(path: string | undefined): Promise<Report> {
  if (path === undefined) return showFirst();
  const isJson = /\.(?:nd)?json$|\.jsonl$/i.test(path);
  const file = await openNew(path);
  if (!isJson) await file.write(`${columns.join(",")}\r\n`);
  return {
    add: async (lines) => {
      if (lines.length > 0) await file.write(lines.map(isJson ? toJson : toCsv).join(""));
    },
    close: () => file.close(),
  };
}

async function openNew(path: string): Promise<FileHandle> {
  try {
    return await open(path, "wx", 0o600);
  } catch (cause) {
    const isThere = (cause as NodeJS.ErrnoException).code === "EEXIST";
    throw new CommandError(isThere ? `${path} already exists` : `${path} cannot be written`, {
      fix: "name another file with --report",
      cause,
    });
  }
}

function showFirst(): Report {
  let count = 0;
  return {
    add: (lines) => {
      for (const line of lines) {
        if (line.what === "exists") continue;
        count++;
        if (count <= mostShown) tell(printable(describe(shortened(line))));
      }
      return Promise.resolve();
    },
    close: () => {
      if (count > mostShown) tell(`… and ${count - mostShown} more lines; write all of them with --report <file>`);
      return Promise.resolve();
    },
  };
}

const describe = ({ file, row, user, field, what, why }: ReportLine): string =>
  `${file}:${row}${user === "" ? "" : ` ${user}`}: ${what}: ${field === "" ? "" : `${field}: `}${why}`;

const toJson = (line: ReportLine): string => printableJson(shortened(line));

function toCsv(given: ReportLine): string {
  const line = shortened(given);
  return `${columns.map((column) => cell(String(line[column]))).join(",")}\r\n`;
}

// A text that begins like a formula is one for spreadsheets; the apostrophe makes it a text.
function cell(text: string): string {
  const safe = printable(text).replace(/[\r\n]+/g, " ");
  const inert = /^[\s]*[=+\-@]/.test(safe) ? `'${safe}` : safe;
  return /[",\t]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}

const shortened = (line: ReportLine): ReportLine => ({
  ...line,
  user: shorten(line.user),
  why: shorten(line.why),
});

const shorten = (text: string): string => (text.length <= longestText ? text : `${text.slice(0, longestText - 1)}…`);
