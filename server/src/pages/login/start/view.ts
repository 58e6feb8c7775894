import {
  buttonLink,
  given,
  type Href,
  type Html,
  html,
  link,
  notice,
  type PageContext,
  page,
  strong,
} from "../../../html/index.ts";
import { type AccountView, accountBox, avatar } from "../parts/account.ts";
import { linkTiles, type PageLinks } from "../parts/page-links.ts";
import { renewPassword } from "../parts/renew-password.ts";

/** The start page, with its links. */
export interface StartModel {
  readonly host: string;
  /** The first account that is signed in in this browser. */
  readonly account?: AccountView | undefined;
  /** Where to change the password, when it will soon expire. */
  readonly renewHref?: Href | undefined;
  /** Whether the instance awaits its first administrator. */
  readonly isBeforeSetup?: boolean;
  readonly signInHref: Href;
  readonly signOutHref: Href;
  /** Applications that the user can open from here. */
  readonly launches?: readonly Launch[];
  readonly links: PageLinks;
  /** For developers who connect an application; undefined for everyone else. */
  readonly connect?: { readonly issuer: string; readonly discoveryHref: Href } | undefined;
  readonly isDevelopment: boolean;
}

/** An application whose sign-in can be started from here. */
export interface Launch {
  readonly name: string;
  readonly href: Href;
}

export function startPage(context: PageContext, model: StartModel): Html {
  const tiles = linkTiles(context, model.links);
  return page(context, {
    title: context.say("start.title"),
    width: "wide",
    body: html`<div class="title"><h1>${context.say("start.heading")}</h1>
<p>${context.sayHtml("start.text", { host: strong(model.host) })}</p></div>
${model.isBeforeSetup === true ? notice("info", html`<p>${context.say("start.no_administrator")}</p>`) : who(context, model)}
${renewPassword(context, model.renewHref)}
${launchTiles(context, model.launches ?? [])}
${tiles !== undefined && html`<section aria-labelledby="places"><h2 class="visually-hidden" id="places">${context.say("start.places")}</h2>${tiles}</section>`}
${model.connect !== undefined && connectPanel(context, model.connect)}
${model.isDevelopment && notice("info", context.say("start.development"))}`,
  });
}

const connectPanel = (context: PageContext, { issuer, discoveryHref }: NonNullable<StartModel["connect"]>): Html =>
  html`<section class="panel stack" aria-labelledby="connect"><h2 id="connect">${context.say("start.connect")}</h2>
<p>${context.say("start.connect_text")}</p>
<dl><div><dt>${context.say("start.issuer")}</dt><dd><code>${issuer}</code></dd></div>
<div><dt>${context.say("start.discovery")}</dt><dd>${link(discoveryHref, html`<code>${discoveryHref}</code>`)}</dd></div></dl></section>`;

const launchTiles = (context: PageContext, launches: readonly Launch[]): Html | false =>
  launches.length > 0 &&
  html`<section class="stack" aria-labelledby="launches"><h2 id="launches">${context.say("start.launches")}</h2>
<ul class="plain tiles">${launches.map(({ name, href }) => html`<li class="tile">${avatar(name)}${link(href, given(name))}</li>`)}</ul></section>`;

const who = (context: PageContext, { account, signInHref, signOutHref }: StartModel): Html =>
  account === undefined
    ? html`<div class="actions">${buttonLink(signInHref, context.say("start.sign_in"))}</div>`
    : html`<div class="actions">${accountBox(account)}${buttonLink(signOutHref, context.say("start.sign_out"), "secondary")}</div>`;
