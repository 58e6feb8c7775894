import type { PageContext } from "./context.ts";
import { attributes, type Html, html } from "./html.ts";

/** What can be done with a text so that it is kept. */
export type Keeping = "copy" | "download" | "print";

/**
 * Buttons that keep what stands in the `code` elements of an element. Hidden until the script that makes them work has come; without it the text is
 * there to be marked and written down.
 */
export const keepButtons = (
  context: PageContext,
  { of, ways, file }: { readonly of: string; readonly ways: readonly Keeping[]; readonly file?: string },
): Html =>
  html`<div class="keep" hidden${attributes({ "data-keep": of, "data-file": file })}>${ways.map(
    (way) =>
      html`<button type="button" class="button quiet"${attributes({
        "data-way": way,
        "data-done": way === "copy" ? context.say("keep.copied") : undefined,
      })}>${context.say(`keep.${way}`)}</button>`,
  )}</div>`;
