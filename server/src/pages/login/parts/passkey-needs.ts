import { type Html, html, notice } from "../../../html/index.ts";

/**
 * Explains the requirements of a page that depends on passkeys: shown without script, and where the browser does not
 * support passkeys.
 */
export const passkeyNeeds = (words: string): Html =>
  html`<noscript><p>${words}</p></noscript>
${notice("warning", words, { "data-passkey-needed": true, hidden: true })}`;
