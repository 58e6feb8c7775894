import type { PageContext } from "./context.ts";
import { attributes, type Html, html } from "./html.ts";

/** How a text can be saved. */
export type Keeping = "copy" | "download" | "print";

/**
 * Renders buttons that save the `code` elements of an element. They are hidden until the script that makes them work
 * has loaded; without it the text can be selected and written down.
 */
export const keepButtons = (
  context: PageContext,
  { of, actions, file }: { readonly of: string; readonly actions: readonly Keeping[]; readonly file?: string },
): Html =>
  html`<div class="keep" hidden${attributes({ "data-keep": of, "data-file": file })}>${actions.map(
    (action) =>
      html`<button type="button" class="button quiet"${attributes({
        "data-action": action,
        "data-done": action === "copy" ? context.say("keep.copied") : undefined,
      })}>${context.say(`keep.${action}`)}</button>`,
  )}</div>`;
