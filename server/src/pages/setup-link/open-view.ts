import { field, form, type Href, type Html, html, notice, type PageContext, page } from "../../html/index.ts";
import { heading } from "../parts/client.ts";

/** Opens a setup link, with the code in the fragment of its address. The code can be typed as well. */
export interface OpenModel {
  readonly action: Href;
  /** Whether the browser had a link that is closed for it, or one that its user finished. */
  readonly outcome: "closed" | "finished" | undefined;
}

export function openPage(context: PageContext, { action, outcome }: OpenModel): Html {
  const title = context.say("setup_link.open");
  const code = field(context, {
    type: "text",
    autocomplete: "off",
    name: "setup_code",
    label: context.say("setup.code"),
    value: "",
  });
  const body = html`<div data-setup-code>${code}</div>
${notice("success", context.say("setup.code_taken"), { "data-setup-code-taken": true, hidden: true })}`;
  return page(context, {
    title,
    hasErrors: outcome === "closed",
    scripts: ["form.js", "setup.js"],
    body: html`${heading(title, html`<p>${context.say("setup_link.open_text")}</p>`)}
${outcome === "closed" && notice("error", context.say("setup_link.closed"), { role: "alert" })}
${outcome === "finished" && notice("success", context.say("setup_link.finished"), { role: "status" })}
${outcome !== "finished" && form(context, { action, body, submit: { label: context.say("continue.submit") } })}`,
  });
}
