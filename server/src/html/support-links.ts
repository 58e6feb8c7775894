import type { PageContext, SupportLink } from "./context.ts";
import { attributes, type Html, html } from "./html.ts";
import { given } from "./text.ts";

const keys = {
  terms: "page.terms",
  privacy: "page.privacy",
  accessibility: "page.accessibility",
  help: "page.help",
  support: "page.support",
  docs: "page.docs",
} as const;

/** Renders a link to a legal text or to support. */
export function supportLink(
  context: PageContext,
  { kind, href, label = "", isOnPageOfItsOwn = false }: SupportLink,
): Html {
  const words = kind === "custom" || label !== "" ? given(label) : context.say(keys[kind]);
  return html`<a href="${href}" rel="noopener"${attributes({ target: isOnPageOfItsOwn ? "_blank" : undefined })}>${words}</a>`;
}
