import { form, type Href, type Html, html, type PageContext } from "../../../html/index.ts";

/**
 * Renders refusal and approval as two forms of equal weight, refusal first. They post `decision` (`allow`, `deny`) and
 * `session_id`.
 */
export function decisionForms(
  context: PageContext,
  { action, sessionId }: { readonly action: Href; readonly sessionId: string },
): Html {
  const decide = (decision: "allow" | "deny") =>
    form(context, {
      action,
      hidden: { decision, session_id: sessionId },
      submit: {
        kind: decision === "allow" ? "primary" : "secondary",
        label: context.say(`decision.${decision}`),
      },
    });
  return html`<div class="decision">${decide("deny")}
${decide("allow")}</div>`;
}
