import { type FileHandle, open } from "node:fs/promises";
import { tell } from "../../command-context.ts";
import { CommandError } from "../../command-error.ts";
import { printable } from "../../printable.ts";
import type { Report, ReportLine } from "./report-line.ts";
import { csvHeader, shortened, toCsv, toJson } from "./report-text.ts";

/** A report that is written as lines come, until it is closed. */
export interface OpenReport extends Report {
  close(): Promise<void>;
}

const mostShown = 20;

/**
 * Opens a report: a file that only its owner can read (NDJSON or CSV, by its name), or the first lines on the terminal.
 */
export async function openReport(path: string | undefined): Promise<OpenReport> {
  if (path === undefined) return showFirst();
  const isJson = /\.(?:nd)?json$|\.jsonl$/i.test(path);
  const file = await openNew(path);
  if (!isJson) await file.write(csvHeader);
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

function showFirst(): OpenReport {
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
