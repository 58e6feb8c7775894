import type { PageContext, SupportLink } from "./context.ts";
import { attributes, type Html, html } from "./html.ts";
import { given } from "./text.ts";

const keys = {
  terms: "page.terms",
  privacy: "page.privacy",
  help: "page.help",
  support: "page.support",
  docs: "page.docs",
} as const;

/** One of the places where people read what is agreed, or get help. */
export function supportLink(
  context: PageContext,
  { kind, href, label = "", isOnPageOfItsOwn = false }: SupportLink,
): Html {
  const words = kind === "custom" || label !== "" ? given(label) : context.say(keys[kind]);
  return html`<a href="${href}" rel="noopener"${attributes({ target: isOnPageOfItsOwn ? "_blank" : undefined })}>${words}</a>`;
}
