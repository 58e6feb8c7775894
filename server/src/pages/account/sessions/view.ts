import { form, given, type Href, type Html, html, type PageContext } from "../../../html/index.ts";
import { type Entry, entryList } from "../parts/entry.ts";
import { type AccountFrame, accountPage } from "../parts/frame-view.ts";
import { type Pager, pager } from "../parts/pager.ts";
import { deviceName } from "./device-name.ts";

/** A browser or device in which the user is signed in. */
export interface SessionView {
  readonly sessionId: string;
  /** Names of browser and system, where they are known. */
  readonly browser?: string | undefined;
  readonly system?: string | undefined;
  /** The application's description, where the session was not created by our own pages. */
  readonly description?: string | undefined;
  readonly address?: string | undefined;
  readonly createdAt: number;
  readonly changedAt: number;
  readonly isCurrent: boolean;
  /** It can no longer sign in, but tokens issued from it may still be valid. */
  readonly isExpired: boolean;
}

/** The user's sessions. Ending one posts `session_id`. */
export interface SessionsModel extends AccountFrame {
  readonly sessions: readonly SessionView[];
  readonly endAction: Href;
  readonly endOthersAction: Href;
  readonly hasOthers: boolean;
  readonly pager: Pager;
}

export function sessionsPage(context: PageContext, model: SessionsModel): Html {
  const { sessions, endAction, endOthersAction, hasOthers } = model;
  return accountPage(context, model, {
    title: context.say("account.sessions.title"),
    intro: context.say("account.sessions.text"),
    body: html`${
      hasOthers &&
      form(context, {
        action: endOthersAction,
        submit: { kind: "secondary", label: context.say("account.sessions.end_others") },
      })
    }
<div class="panel">${entryList(sessions.map((session) => entry(context, endAction, session)))}</div>
${pager(context, model.pager)}`,
  });
}

function entry(context: PageContext, action: Href, session: SessionView): Entry {
  const { sessionId, address, createdAt, changedAt, isCurrent, isExpired } = session;
  const name = deviceName(context, session);
  return {
    icon: /^(?:iPhone|iPad|Android)$/.test(session.system ?? "") ? "device" : "screen",
    title: given(name),
    isGood: isCurrent,
    mark: isCurrent
      ? context.say("account.sessions.current")
      : isExpired
        ? context.say("account.sessions.expired")
        : undefined,
    lines: [
      address === undefined ? undefined : context.sayHtml("account.sessions.address", { address: given(address) }),
      context.sayHtml("account.sessions.since", { at: context.showInstant(createdAt) }),
      changedAt !== createdAt && context.sayHtml("account.sessions.used", { at: context.showInstant(changedAt) }),
    ],
    actions: form(context, {
      action,
      hidden: { session_id: sessionId },
      submit: {
        kind: "quiet",
        label: context.say(isCurrent ? "start.sign_out" : "account.sessions.end"),
        ...(!isCurrent && {
          ariaLabel: context.say("account.sessions.end_one", { name, at: context.formatInstant(createdAt) }),
        }),
      },
    }),
  };
}
