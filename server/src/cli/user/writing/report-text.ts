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
  return `${columns.map((column) => cell(String(line[column]))).join(",")}\r\n`;
}

// A text that begins like a formula is one for spreadsheets; the apostrophe makes it a text.
function cell(text: string): string {
  const safe = printable(text).replace(/[\r\n]+/g, " ");
  const inert = /^[\s]*[=+\-@]/.test(safe) ? `'${safe}` : safe;
  return /[",\t]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}

/** Returns a line without what is too long to be read. */
export const shortened = (line: ReportLine): ReportLine => ({
  ...line,
  user: shorten(line.user),
  why: shorten(line.why),
});

const shorten = (text: string): string => (text.length <= longestText ? text : `${text.slice(0, longestText - 1)}…`);
