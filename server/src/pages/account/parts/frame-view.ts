import {
  given,
  type Href,
  type Html,
  type HtmlValue,
  html,
  type IconName,
  icon,
  link,
  menuButton,
  navigationLink,
  notice,
  type PageContext,
  page,
  withIcon,
} from "../../../html/index.ts";
import { type AccountView, accountLines, nameOf } from "../../login/parts/account.ts";

/** The parts of the account, in the order of their list. */
export const accountParts = [
  "home",
  "profile",
  "methods",
  "sessions",
  "applications",
  "appointments",
  "activity",
  "data",
] as const;
export type AccountPart = (typeof accountParts)[number];

/** The icon of each part. */
export const partIcons = {
  home: "home",
  profile: "person",
  methods: "key",
  sessions: "screen",
  applications: "tiles",
  appointments: "shield",
  activity: "clock",
  data: "file",
} as const satisfies Record<AccountPart, IconName>;

/** Confirmations that a page can show. */
export const accountNews = [
  "profile_saved",
  "picture_saved",
  "picture_removed",
  "email_verified",
  "phone_verified",
  "phone_removed",
  "code_sent",
  "username_saved",
  "password_saved",
  "method_added",
  "method_removed",
  "recovery_codes_saved",
  "session_ended",
  "others_ended",
  "application_revoked",
  "appointment_accepted",
  "appointment_declined",
] as const;
export type AccountNews = (typeof accountNews)[number];

/** The frame of every account page around its own content. */
export interface AccountFrame {
  readonly account: AccountView;
  readonly part: AccountPart;
  /** Whether the user administers something, or is asked to: most do not, and need no page for it. */
  readonly hasAppointments: boolean;
  /** Address of each part, for this account. */
  readonly hrefs: Readonly<Record<AccountPart, Href>>;
  /** Other users who are signed in in this browser, each with the address of their account. */
  readonly others: readonly (AccountView & { readonly href: Href })[];
  readonly otherAccountHref: Href;
  readonly signOutHref: Href;
  readonly news?: AccountNews | undefined;
}

export interface AccountContent {
  readonly title: string;
  readonly intro?: HtmlValue;
  readonly hasErrors?: boolean;
  readonly scripts?: readonly string[];
  readonly body: HtmlValue;
}

/** Renders an account page: the user, the navigation, and the content. */
export function accountPage(context: PageContext, frame: AccountFrame, content: AccountContent): Html {
  const { title, intro, hasErrors = false, scripts = ["form.js"], body } = content;
  return page(context, {
    title,
    hasErrors,
    scripts,
    width: "wide account",
    styles: ["account.css"],
    bar: bar(context, frame),
    body: html`${navigation(context, frame)}
<div class="content"><div class="title"><h1>${title}</h1>${intro !== undefined && html`<p>${intro}</p>`}</div>
${frame.news !== undefined && confirmation(context, frame.news)}
${body}</div>`,
  });
}

// Takes the focus, so that screen readers say it and the keyboard goes on from there; a page that asks for a code needs
// the focus in its field.
const confirmation = (context: PageContext, news: AccountNews): Html =>
  notice("success", context.say(`account.news.${news}`), {
    role: "status",
    tabindex: "-1",
    autofocus: news !== "code_sent",
  });

/** Returns the parts that an account has. */
export const partsOf = ({ part, hasAppointments }: Pick<AccountFrame, "part" | "hasAppointments">): AccountPart[] =>
  accountParts.filter((one) => one !== "appointments" || hasAppointments || part === one);

const bar = (context: PageContext, { signOutHref }: AccountFrame): Html =>
  html`<div class="bar">${link(signOutHref, context.say("start.sign_out"))}
${menuButton("menu", context.say("account.menu"), icon("menu"))}</div>`;

// Beside the content on wide screens; on others the button of the bar opens it.
function navigation(context: PageContext, frame: AccountFrame): Html {
  const { part, hrefs } = frame;
  return html`<div class="side" id="menu" popover><div class="identity">${accountLines(frame.account)}</div>
<nav aria-label="${context.say("account.navigation")}"><ul class="plain">${partsOf(frame).map(
    (one) =>
      html`<li>${navigationLink(hrefs[one], withIcon(partIcons[one], context.say(`account.${one}.name`)), one === part)}</li>`,
  )}</ul></nav>
${changeAccount(context, frame)}</div>`;
}

const changeAccount = (context: PageContext, { others, otherAccountHref }: AccountFrame): Html =>
  html`<details><summary>${context.say("account.change_account")}</summary><ul class="plain">${others.map(
    ({ href, loginName, isAmbiguous, organizationName }) =>
      html`<li>${link(href, html`${given(nameOf({ loginName, isAmbiguous }))}${organizationName !== undefined && html` <span class="muted">${given(organizationName)}</span>`}`)}</li>`,
  )}<li>${link(otherAccountHref, context.say("accounts.other"))}</li></ul></details>`;
