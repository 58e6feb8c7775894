import { form, type Href, type Html, html, type PageContext, page } from "../../../html/index.ts";
import { type ClientView, clientLine, heading } from "../../parts/client.ts";
import { type AccountView, accountBox } from "../parts/account.ts";
import { type ExternalAccountView, sayOfAccount } from "../parts/external-account.ts";

/**
 * Asks the user who signed in for it whether to link an account at a provider. Posts `decision` (`link`, `skip`) and
 * `session_id`, if a user signed in.
 */
export interface ExternalLinkModel extends ExternalAccountView {
  readonly action: Href;
  readonly client?: ClientView | undefined;
  readonly account: AccountView;
  readonly sessionId?: string;
}

export function externalLinkPage(context: PageContext, model: ExternalLinkModel): Html {
  const { action, sessionId, account, client } = model;
  const title = context.say("external.link.title");
  const decide = (decision: "link" | "skip") =>
    form(context, {
      action,
      hidden: { decision, ...(sessionId !== undefined && { session_id: sessionId }) },
      submit: {
        kind: decision === "link" ? "primary" : "secondary",
        label: context.say(`external.link.${decision}`),
      },
    });
  return page(context, {
    title,
    scripts: ["form.js"],
    body: html`${heading(title, clientLine(context, client))}
<p>${sayOfAccount(context, "link", model)}</p>
${accountBox(account)}
<div class="decision">${decide("skip")}
${decide("link")}</div>`,
  });
}
