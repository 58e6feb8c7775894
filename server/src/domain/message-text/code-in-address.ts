import { parseMessage } from "./placeholders.ts";

// Characters for private use stand for a code, and for anything else that is filled in.
const code = "\uE001";
const other = "\uE002";

/**
 * Whether words would put a code into a web address, also into one that mail programs make of plain text
 * (`portal.example/{{.Code}}`), or join it to other values, which can be one. Who follows such a link gives the code away:
 * the server at the address gets it.
 */
export function hasCodeInAddress(words: string): boolean {
  const filled = parseMessage(words).map((piece) => {
    if ("words" in piece) return piece.words;
    return piece.placeholder === "Code" || piece.placeholder === "OTP" ? code : other;
  });
  const runs = filled.join("").split(/\s+/);
  return runs.some((run) => run.includes(code) && (run.includes(other) || /[/@]|\.[\p{L}\p{N}\uE001]/u.test(run)));
}
