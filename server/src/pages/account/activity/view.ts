import type { Device } from "../../../domain/sign-in-attempt/index.ts";
import {
  buttonLink,
  form,
  given,
  type Href,
  type Html,
  html,
  type IconName,
  link,
  type PageContext,
} from "../../../html/index.ts";
import { type Entry, entryList } from "../parts/entry.ts";
import { type AccountFrame, accountPage } from "../parts/frame-view.ts";
import { type Pager, pager } from "../parts/pager.ts";
import { deviceName } from "../sessions/device-name.ts";

/** An event of the account. */
export interface ActivityView {
  /** Description, in the language of the page. */
  readonly what: string;
  readonly icon: IconName;
  readonly at: number;
  /** The acting user, where it was not the account's. */
  readonly by?: string | undefined;
  /** Where the user signed in, as far as it is known. */
  readonly device?: Device | undefined;
  /** Network of the request. */
  readonly address?: string | undefined;
  /** Name of the application through which the user made the change. */
  readonly application?: string | undefined;
  /** Why another user did it, in their words. */
  readonly reason?: string | undefined;
  /** Whether to ask if it was the user. */
  readonly isSensitive?: boolean | undefined;
}

/** The events of the last 90 days. */
export interface ActivityModel extends AccountFrame {
  readonly events: readonly ActivityView[];
  readonly notMeHref: Href;
  readonly pager: Pager;
}

export function activityPage(context: PageContext, model: ActivityModel): Html {
  const { events, notMeHref } = model;
  return accountPage(context, model, {
    title: context.say("account.activity.title"),
    intro: context.say("account.activity.text"),
    body: html`<p class="links">${link(notMeHref, context.say("account.activity.not_me"))}</p>
<div class="panel">${
      events.length === 0
        ? html`<p>${context.say("account.activity.none")}</p>`
        : entryList(events.map((event) => entryOf(context, event, notMeHref)))
    }</div>
${pager(context, model.pager)}`,
  });
}

function entryOf(context: PageContext, event: ActivityView, notMeHref: Href): Entry {
  const { what, icon, at, by, device, address, application, reason, isSensitive = false } = event;
  return {
    icon,
    isWarning: icon === "warning",
    title: what,
    lines: [
      context.showInstant(at),
      (device !== undefined || address !== undefined) &&
        html`${device !== undefined && given(deviceName(context, device))}${device !== undefined && address !== undefined && " · "}${address !== undefined && context.sayHtml("account.sessions.address", { address: given(address) })}`,
      application !== undefined && context.sayHtml("account.activity.through", { name: given(application) }),
      reason !== undefined && context.sayHtml("account.activity.reason", { reason: given(reason) }),
      by !== undefined && context.sayHtml("account.activity.by", { name: given(by) }),
    ],
    actions: isSensitive && link(notMeHref, context.say("account.not_me.title")),
  };
}

/** What to do about an event that the user did not cause. Posts to the end of all other sessions. */
export interface NotMeModel extends AccountFrame {
  readonly endOthersAction: Href;
  /** To the password page; absent where the user cannot have a password. */
  readonly passwordHref?: Href | undefined;
  readonly methodsHref: Href;
}

export function notMePage(context: PageContext, model: NotMeModel): Html {
  const { endOthersAction, passwordHref, methodsHref } = model;
  return accountPage(context, model, {
    title: context.say("account.not_me.title"),
    intro: context.say("account.not_me.text"),
    body: html`<div class="panel stack"><p>${context.say("account.not_me.sessions")}</p>
${form(context, { action: endOthersAction, submit: { label: context.say("account.sessions.end_others") } })}</div>
${
  passwordHref !== undefined &&
  html`<div class="panel stack"><p>${context.say("account.not_me.password")}</p>
${buttonLink(passwordHref, context.say("account.password.change"), "secondary")}</div>`
}
<div class="panel stack"><p>${context.say("account.not_me.methods")}</p>
${buttonLink(methodsHref, context.say("account.methods.name"), "secondary")}</div>`,
  });
}
