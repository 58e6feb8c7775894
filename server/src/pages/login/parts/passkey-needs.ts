import { type Html, html } from "../../html/index.ts";

/** Says what a page needs that cannot do without passkeys: where there is no script, and where the browser does not know them. */
export const passkeyNeeds = (words: string): Html =>
  html`<noscript><p>${words}</p></noscript>
<p class="notice" data-passkey-needed hidden>${words}</p>`;
