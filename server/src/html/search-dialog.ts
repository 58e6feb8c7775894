import type { Href } from "./href.ts";
import { type Html, html } from "./html.ts";

/** Renders the button that opens the search; hidden until its script has loaded. `index` is what it looks in. */
export const searchButton = (index: Href): Html =>
  html`<button type="button" class="find" data-search="${index}" hidden><span>Search</span> <kbd>Ctrl K</kbd></button>`;

/** Renders the dialog of the search: a field, and a list of what was found (ARIA combobox with a list box). */
export const searchDialog = (): Html =>
  html`<dialog class="search" id="search" aria-label="Search the reference">
<form method="dialog"><label class="visually-hidden" for="search-text">Methods, fields and errors</label>
<input id="search-text" type="search" role="combobox" aria-expanded="false" aria-controls="search-results" aria-autocomplete="list" autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="100" placeholder="Methods, fields and errors">
<button type="submit" class="copy" value="close">Close</button></form>
<div id="search-results" role="listbox" aria-label="Found"></div>
<p class="hint" role="status" id="search-status"></p>
</dialog>`;
