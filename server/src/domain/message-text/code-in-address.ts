import { parseMessage } from "./placeholders.ts";

// Characters for private use stand for a code, and for anything else that is filled in.
const code = "\uE001";
const other = "\uE002";

/**
 * Whether a text would put a code into a web address, also into one that mail programs make of plain text
 * (`portal.example/{{.Code}}`), or join it to other values, which can be addresses. A user who follows such a link
 * gives the code away, because the server at the address gets it.
 */
export function hasCodeInAddress(words: string): boolean {
  const filled = parseMessage(words).map((piece) => {
    if ("words" in piece) return piece.words;
    return piece.placeholder === "Code" || piece.placeholder === "OTP" ? code : other;
  });
  // Mail programs differ in what ends an address, so only what ends one everywhere ends it here. Characters count as
  // what an address makes of them: full-width ones like their plain forms (UTS #46, section 4).
  const runs = filled
    .join("")
    .split(/[ \t\r\n]+/)
    .map((run) => run.normalize("NFKC"));
  return runs.some((run) => run.includes(code) && (run.includes(other) || address.test(run)));
}

// U+3002 separates labels as well (UTS #46, section 2.3); U+FF0E and U+FF61 are in NFKC already. Where Chinese or
// Japanese follows, it ends a sentence.
const address =
  /[/@]|\.[\p{L}\p{N}\uE001]|\u3002(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{N}\uE001]/u;
