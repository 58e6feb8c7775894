import { csvRecord } from "../../../base/csv.ts";
import { printable, printableJson } from "../../printable.ts";
import type { ReportLine } from "./report-line.ts";

const longestText = 200;
const columns = ["file", "row", "user", "field", "what", "why"] as const;

/** The first line of a report in CSV. */
export const csvHeader = `${columns.join(",")}\r\n`;

/** Returns a line of a report as JSON. */
export const toJson = (line: ReportLine): string => printableJson(shortened(line));

/** Returns a line of a report as CSV. */
export function toCsv(given: ReportLine): string {
  const line = shortened(given);
  return csvRecord(columns.map((column) => printable(String(line[column])).replace(/[\r\n]+/g, " ")));
}

/** Returns a line without what is too long to be read. */
export const shortened = (line: ReportLine): ReportLine => ({
  ...line,
  user: shorten(line.user),
  why: shorten(line.why),
});

const shorten = (text: string): string => (text.length <= longestText ? text : `${text.slice(0, longestText - 1)}…`);
