/**
 * Writes a record of a CSV file (RFC 4180). A cell that a spreadsheet could take for a formula gets an apostrophe:
 * users choose their names, and administrators open the files.
 */
export const csvRecord = (cells: readonly string[]): string => `${cells.map(toCell).join(",")}\r\n`;

function toCell(text: string): string {
  const harmless = /^(?:[\t\r]|[\s\p{Cc}]*[=+\-@＝＋－＠])/u.test(text) ? `'${text}` : text;
  return /[",\r\n']/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
