import type { Instant } from "../../../base/clock.ts";
import {
  buttonLink,
  form,
  type Href,
  type Html,
  html,
  notice,
  type PageContext,
  page,
  strong,
} from "../../../html/index.ts";
import { type ClientView, heading } from "../../parts/client.ts";
import { type AccountView, accountBox } from "../parts/account.ts";

/** Shows an administrator as which user they are about to use an application, or may use it. */
export interface ImpersonationModel {
  readonly action: Href;
  readonly client: ClientView;
  /** The user. */
  readonly account: AccountView;
  readonly reason: string;
  readonly expiresAt: Instant;
  readonly impersonationId: string;
  /** Whether the application waits for the answer. */
  readonly isWaiting: boolean;
  /** Where the application begins a sign-in; absent where it has no such address. */
  readonly startHref: Href | undefined;
}

/** Posts `decision` (`allow`, `end`) and `impersonation_id`. */
export function impersonationPage(context: PageContext, model: ImpersonationModel): Html {
  const { client, reason, expiresAt, isWaiting, startHref } = model;
  const title = context.say("impersonation.title");
  return page(context, {
    title,
    scripts: ["form.js"],
    body: html`${heading(title, html`<p>${context.sayHtml("impersonation.text", { client: strong(client.name) })}</p>`)}
${notice("warning", context.say("impersonation.warning"))}
${accountBox(model.account)}
<dl class="hint"><div><dt>${context.say("impersonation.reason")}</dt><dd><bdi>${reason}</bdi></dd></div>
<div><dt>${context.say("impersonation.until")}</dt><dd>${context.showInstant(expiresAt)}</dd></div></dl>
${!isWaiting && startHref === undefined && html`<p>${context.say("impersonation.start")}</p>`}
<div class="decision">${decide(context, model, "end")}
${isWaiting && decide(context, model, "allow")}${
  startHref !== undefined && buttonLink(startHref, context.say("impersonation.open"), "primary")
}</div>`,
  });
}

const decide = (context: PageContext, { action, impersonationId }: ImpersonationModel, decision: "allow" | "end") =>
  form(context, {
    action,
    hidden: { decision, impersonation_id: impersonationId },
    submit: {
      kind: decision === "allow" ? "primary" : "secondary",
      label: context.say(decision === "allow" ? "impersonation.continue" : "impersonation.end"),
    },
  });

/** Says that an impersonation has ended, with a link to the account of the administrator. */
export const impersonationEndedPage = (context: PageContext, { accountHref }: { readonly accountHref: Href }): Html => {
  const title = context.say("impersonation.title");
  return page(context, {
    title,
    body: html`${heading(title)}
${notice("info", context.say("impersonation.ended"))}
${buttonLink(accountHref, context.say("account.home.title"), "secondary")}`,
  });
};
