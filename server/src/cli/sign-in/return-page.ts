import { createHash } from "node:crypto";
import { builtInBrand } from "../../domain/branding/index.ts";
import { brandMark, type Html, html, render } from "../../html/index.ts";

/** What came of a sign-in that the terminal waits for; `unexpected` for any other request. */
export type ReturnOutcome = "signed_in" | "refused" | "unexpected";

const words = {
  signed_in: ["You are signed in", "You can close this window and go back to the terminal."],
  refused: ["You are not signed in", "Go back to the terminal: it says why."],
  unexpected: ["There is nothing here", "The terminal does not wait for this address."],
} as const satisfies Record<ReturnOutcome, readonly [string, string]>;

// The colors of the hosted pages. This page comes from the terminal, so it can load nothing from there.
const style =
  ":root{color-scheme:light dark}body{display:grid;justify-items:center;align-content:start;gap:1.5rem;margin:0;padding:10vh 1.25rem;background:#efece3;color:#18231f;font:1rem/1.5 system-ui,sans-serif}main{box-sizing:border-box;width:min(27rem,100%);padding:2rem;border:1px solid #dedad0;border-radius:1rem;background:#fffefb}h1{margin:0 0 .375rem;font-size:1.625rem;line-height:1.2}p{margin:0;color:#54605a}.door{fill:#12594a}.light{fill:#f0bb4f}.letters{fill:none;stroke:#18231f;stroke-width:2.5;stroke-linejoin:bevel}@media (prefers-color-scheme:dark){body{background:#0b100e;color:#e9eeeb}main{border-color:#293530;background:#19211c}p{color:#a5b2ac}.door{fill:#45a78d}.light{fill:#f3c667}.letters{stroke:#e9eeeb}}";
const styleHash = createHash("sha256").update(style).digest("base64");

/** Headers of the page. The address has the code, which no other server may learn. */
export const returnPageHeaders = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
} as const;

/** Renders the end of a sign-in of the command line. Like all that the terminal says, it is English. */
export function returnPage(outcome: ReturnOutcome): string {
  const [title, text] = words[outcome];
  const body: Html = html`<header>${brandMark(builtInBrand)}</header>
<main><h1>${title}</h1><p>${text}</p></main>`;
  return render(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – Doorward</title>
<style>${style}</style>
</head>
<body>
${body}
</body>
</html>
`);
}
