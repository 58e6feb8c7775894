import { type AccountNotice, accountNotices } from "../../domain/message-text/index.ts";
import type { NotificationKind } from "../../domain/notification/index.ts";
import { type Href, type Html, html, link, notice, type PageContext, page } from "../../html/index.ts";

/** Mail and text messages that were not sent. */
export interface InboxModel {
  readonly messages: readonly InboxMessage[];
}

export interface InboxMessage {
  readonly kind: NotificationKind;
  /** Whether a newer one of its kind was queued before it was sent. */
  readonly isSuperseded: boolean;
  readonly recipient: string;
  readonly at: number;
  readonly code: string | null;
  /** Absent without a link, or when pages may not link to it. */
  readonly linkHref?: Href | undefined;
  /** The message as text. */
  readonly text: string;
  /** Address of the HTML version; absent for a text message. */
  readonly mailHref?: Href | undefined;
}

/** Renders the captured messages, newest first, with the code and link of each. */
export function inboxPage(context: PageContext, { messages }: InboxModel): Html {
  return page(context, {
    title: context.say("inbox.title"),
    width: "wide",
    scripts: ["form.js"],
    body: html`<div class="title"><h1>${context.say("inbox.title")}</h1><p>${context.say("inbox.text")}</p></div>
${messages.length === 0 && notice("info", context.say("inbox.empty"))}
${messages.map((message) => draw(context, message))}`,
  });
}

const isNotice = (kind: NotificationKind): kind is AccountNotice => accountNotices.some((notice) => notice === kind);

const draw = (
  context: PageContext,
  { kind, isSuperseded, recipient, at, code, linkHref, text, mailHref }: InboxMessage,
): Html =>
  html`<section class="panel stack"><h2>${context.say(isNotice(kind) ? "inbox.kind.account_change" : `inbox.kind.${kind}`)}</h2>
${isSuperseded && html`<p class="hint">${context.say("inbox.superseded")}</p>`}
<dl><div><dt>${context.say("inbox.recipient")}</dt><dd><bdi>${recipient}</bdi></dd></div>
<div><dt>${context.say("inbox.time")}</dt><dd>${context.showInstant(at)}</dd></div>
${code !== null && html`<div><dt>${context.say("inbox.code")}</dt><dd><code>${code}</code></dd></div>`}
${linkHref !== undefined && html`<div><dt>${context.say("inbox.link")}</dt><dd>${link(linkHref, linkHref)}</dd></div>`}</dl>
<pre class="message" dir="auto">${text}</pre>
${mailHref !== undefined && html`<p>${link(mailHref, context.say("inbox.show_mail"))}</p>`}</section>`;
