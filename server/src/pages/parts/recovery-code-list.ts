import { type Html, html, keepButtons, notice, type PageContext } from "../../html/index.ts";

/** Renders recovery codes, shown only once, to be printed or written down. */
export const recoveryCodeList = (context: PageContext, codes: readonly string[]): Html =>
  html`${notice("warning", context.say("recovery.once"))}
<ul class="plain codes" id="codes">${codes.map((code) => html`<li><code>${code}</code></li>`)}</ul>
${keepButtons(context, { of: "codes", actions: ["copy", "download", "print"], file: "recovery-codes.txt" })}`;
