import { form, type Href, type Html, html, type PageContext } from "../../../html/index.ts";

/**
 * Renders refusal and approval as two forms of equal weight, refusal first. They post `decision` (`allow`, `deny`) and
 * `session_id`, and `shown`: what the page says, so that the answer is to that alone.
 */
export function decisionForms(
  context: PageContext,
  { action, sessionId, shown }: { readonly action: Href; readonly sessionId: string; readonly shown: string },
): Html {
  const decide = (decision: "allow" | "deny") =>
    form(context, {
      action,
      hidden: { decision, session_id: sessionId, shown },
      submit: {
        kind: decision === "allow" ? "primary" : "secondary",
        label: context.say(`decision.${decision}`),
      },
    });
  return html`<div class="decision">${decide("deny")}
${decide("allow")}</div>`;
}
