/**
 * Writes a record of a CSV file (RFC 4180). Text that a spreadsheet could take for a formula gets an apostrophe before
 * it: users choose their names, and administrators open the files. Spreadsheets of many languages divide by semicolons,
 * and others by tabs, so text that begins after one counts like the beginning of a cell.
 */
export const csvRecord = (cells: readonly string[]): string => `${cells.map(toCell).join(",")}\r\n`;

function toCell(text: string): string {
  const harmless = text.replace(beginning, (before) => `${before}'`);
  return /[",;\t\r\n']/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

// Spreadsheets leave out spaces, control characters and quotation marks before a formula.
const beginning = /(?:^(?=[\t\r])|(?:^|[;\p{Cc}\u2028\u2029])(?=[\s\p{Cc}"]*[=+\-@＝＋－＠]))/gu;
