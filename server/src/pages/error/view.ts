import type { Instant } from "../../base/clock.ts";
import {
  buttonLink,
  type Href,
  type Html,
  html,
  keepButtons,
  notice,
  type PageContext,
  page,
  strong,
} from "../../html/index.ts";
import { type ClientView, heading } from "../parts/client.ts";
import { closest, markDifference } from "../parts/mark-difference.ts";

/** Every case of the error page. Each has a title, a sentence and a next action in the catalogues. */
export const pageErrors = [
  "client_unknown",
  "client_inactive",
  "redirect_uri_invalid",
  "request_invalid",
  "request_expired",
  "external_used",
  "external_too_old",
  "external_other_browser",
  "external_unsolicited",
  "device_gone",
  "cookies_missing",
  "form_rejected",
  "access_denied",
  "account_inactive",
  "setup_unavailable",
  "passkey_refused",
  "not_found",
  "host_unknown",
  "too_many_requests",
  "instance_blocked",
  "console_not_built",
  "unavailable",
  "internal",
] as const;
export type PageError = (typeof pageErrors)[number];

/** Explains what happened and what to do next, with one button, and a reference for support. */
export interface ErrorModel {
  readonly error: PageError;
  /** Request id or trace id, as the log has it. */
  readonly reference: string;
  readonly at: Instant;
  /** The application concerned; its id replaces an unknown name. */
  readonly client?: ClientView | undefined;
  /** To the start page, to the user's account, to the beginning of this sign-in, or back to the application. */
  readonly button?: { readonly to: "start" | "account" | "restart" | "return"; readonly href: Href } | undefined;
  /** One exact sentence for developers, in English, such as an `error_description`. Never a stack trace. */
  readonly detail?: string | undefined;
  /** The addresses that do not match. Only in development, or to an administrator: it lists the registered ones. */
  readonly redirectUri?: { readonly received: string; readonly registered: readonly string[] } | undefined;
}

export function errorPage(context: PageContext, model: ErrorModel): Html {
  const { error, button, detail, redirectUri } = model;
  const title = context.say(`error.${error}.title`);
  const client = model.client?.name ?? "–";
  return page(context, {
    title,
    hasErrors: true,
    scripts: ["form.js"],
    body: html`${heading(title)}
${notice("error", context.sayHtml(`error.${error}.text`, { client: strong(client) }), { role: "alert" })}
<p>${context.say(`error.${error}.next`)}</p>
${redirectUri !== undefined && comparison(context, client, redirectUri)}
${button !== undefined && buttonLink(button.href, button.to === "account" ? context.say("account.home.title") : context.say(`error.${button.to}`, { client }))}
<dl class="hint">${detail !== undefined && html`<div><dt>${context.say("error.detail")}</dt><dd><code>${detail}</code></dd></div>`}
<div id="reference"><dt>${context.say("error.reference")}</dt><dd><code>${model.reference}</code></dd>
<dd>${keepButtons(context, { of: "reference", actions: ["copy"] })}</dd>
<dd>${context.say("error.reference_hint")}</dd></div>
<div><dt>${context.say("error.time")}</dt><dd>${context.showInstant(model.at)}</dd></div></dl>`,
  });
}

type RedirectUris = NonNullable<ErrorModel["redirectUri"]>;

function comparison(context: PageContext, client: string, { received, registered }: RedirectUris): Html {
  const nearest = closest(received, registered);
  return html`<dl class="compare"><div><dt>${context.say("error.redirect_received")}</dt>
<dd><code>${nearest === undefined ? received : markDifference(received, nearest)}</code></dd></div>
<div><dt>${context.sayHtml("error.redirect_registered", { client: strong(client) })}</dt>
${registered.length === 0 && html`<dd>${context.say("error.redirect_none")}</dd>`}
${registered.map((uri) => html`<dd><code>${uri === nearest ? markDifference(uri, received) : uri}</code></dd>`)}</div></dl>
<p class="hint">${context.say("error.redirect_exact")}</p>`;
}
