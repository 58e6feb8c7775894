import { type Html, html } from "../../../html/index.ts";

/**
 * Explains the requirements of a page that depends on passkeys: shown without script, and where the browser does not
 * support passkeys.
 */
export const passkeyNeeds = (words: string): Html =>
  html`<noscript><p>${words}</p></noscript>
<p class="notice" data-passkey-needed hidden>${words}</p>`;
