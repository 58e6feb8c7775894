import {
  buttonLink,
  form,
  given,
  type Href,
  type Html,
  html,
  link,
  notice,
  type PageContext,
  page,
} from "../../../html/index.ts";
import { type ClientView, clientLine, heading } from "../../parts/client.ts";

/** How an attempt to sign in at a provider can end, besides with a sign-in. */
export type ExternalEnd = "linked" | "not_allowed" | "failed" | "cancelled" | "unreachable";

/** The outcome, its reason, and the ways to continue. */
export interface ExternalOutcomeModel {
  readonly end: ExternalEnd;
  readonly client?: ClientView | undefined;
  /** Undefined when the provider was removed, or its name is not said (`shownProviderName`). */
  readonly providerName: string | undefined;
  readonly isProviderRemoved: boolean;
  /** One sentence, where something went wrong. */
  readonly reason?: string | undefined;
  /** Id of the attempt, as in the event log. */
  readonly reference: string;
  /** To the application, or the user's other destination; only after success. */
  readonly continueHref?: Href | undefined;
  /** Repeats the attempt at the same provider. Posts `provider`. */
  readonly repeat?: { readonly action: Href; readonly provider: string } | undefined;
  /** To the beginning of the login. */
  readonly otherHref: Href;
  /** Cancels and returns to the application. */
}

export function externalOutcomePage(context: PageContext, model: ExternalOutcomeModel): Html {
  const { end, providerName, isProviderRemoved, reason, continueHref, client } = model;
  const title = context.say(`external.${end}.title`);
  const unnamed = context.say(isProviderRemoved ? "external.removed_provider" : "external.unnamed_provider");
  const provider = given(providerName ?? unnamed);
  return page(context, {
    title,
    hasErrors: reason !== undefined,
    scripts: ["form.js"],
    body: html`${heading(title, clientLine(context, client))}
${reason !== undefined && notice("error", reason, { role: "alert" })}
<p>${context.sayHtml(`external.${end}.text`, { provider })}</p>
${continueHref === undefined ? nextLinks(context, model) : buttonLink(continueHref, context.say("external.continue"))}`,
  });
}

const nextLinks = (context: PageContext, { repeat, otherHref, reference }: ExternalOutcomeModel): Html =>
  html`${
    repeat !== undefined &&
    form(context, {
      action: repeat.action,
      hidden: { provider: repeat.provider },
      submit: { label: context.say("external.repeat") },
    })
  }
${repeat === undefined ? buttonLink(otherHref, context.say("external.other")) : html`<p class="links">${link(otherHref, context.say("external.other"))}</p>`}
<dl class="hint"><div><dt>${context.say("error.reference")}</dt><dd><code>${reference}</code></dd>
<dd>${context.say("error.reference_hint")}</dd></div></dl>`;
