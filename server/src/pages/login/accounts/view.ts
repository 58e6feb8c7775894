import { buttonLink, form, given, type Href, type Html, html, type PageContext, page } from "../../../html/index.ts";
import { type ClientView, clientLine, heading } from "../../parts/client.ts";
import { type AccountView, accountLines, nameOf } from "../parts/account.ts";

/** An account of this browser, with its session. */
interface ChoosableAccount extends AccountView {
  readonly sessionId: string;
  /** Whether choosing it continues immediately, or requires authentication first. */
  readonly isSignedIn: boolean;
}

/** The accounts of this browser. Choosing and removing each post `session_id`. */
export interface ChooseAccountModel {
  readonly client?: ClientView | undefined;
  readonly accounts: readonly ChoosableAccount[];
  readonly chooseAction: Href;
  readonly removeAction: Href;
  /** To the first page, without a chosen user. */
  readonly otherAccountHref: Href;
}

export function chooseAccountPage(context: PageContext, model: ChooseAccountModel): Html {
  const title = context.say("accounts.title");
  return page(context, {
    title,
    scripts: ["form.js"],
    body: html`${heading(title, clientLine(context, model.client))}
<ul class="plain">${model.accounts.map((account) => html`<li>${choice(context, model.chooseAction, account)}</li>`)}</ul>
${buttonLink(model.otherAccountHref, context.say("accounts.other"), "secondary")}
${model.accounts.length > 0 && removal(context, model)}`,
  });
}

const choice = (context: PageContext, action: Href, account: ChoosableAccount): Html =>
  form(context, {
    action,
    hidden: { session_id: account.sessionId },
    submit: {
      kind: "row",
      label: accountLines(account, context.say(account.isSignedIn ? "accounts.signed_in" : "accounts.signed_out")),
    },
  });

const removal = (context: PageContext, { accounts, removeAction }: ChooseAccountModel): Html =>
  html`<details><summary>${context.say("accounts.remove")}</summary>
<p class="hint">${context.say("accounts.remove_text")}</p>
<ul class="plain">${accounts.map(
    ({ sessionId, ...account }) =>
      html`<li>${form(context, {
        action: removeAction,
        hidden: { session_id: sessionId },
        submit: {
          kind: "quiet",
          label: html`<span>${context.sayHtml("accounts.remove_one", { name: given(nameOf(account)) })}</span>`,
        },
      })}</li>`,
  )}</ul></details>`;
