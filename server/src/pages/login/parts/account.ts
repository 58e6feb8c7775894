import { pathOfAvatar } from "../../../domain/user/index.ts";
import { attributes, given, type Href, type Html, html, link, type PageContext } from "../../html/index.ts";

/** An account that this browser knows. */
export interface AccountView {
  /** How the person is called; the login name where there is nothing better. */
  readonly displayName: string;
  readonly loginName: string;
  /** Shown where accounts of several organizations stand beside one another. */
  readonly organizationName?: string | undefined;
  /** Name of the file of his picture. */
  readonly avatarFile?: string | null | undefined;
}

const graphemes = new Intl.Segmenter("und", { granularity: "grapheme" });

/**
 * The picture of a person; where there is none, the first letter of a name. Says nothing to screen readers, because the name stands beside it. As large
 * before it has come as after, so that nothing moves.
 */
export function avatar(name: string, file?: string | null): Html {
  if (typeof file === "string") {
    return html`<img class="avatar" alt="" width="36" height="36"${attributes({ src: pathOfAvatar(file) })}>`;
  }
  const [first] = graphemes.segment(name.trim());
  return html`<span class="avatar" aria-hidden="true">${first?.segment.toLocaleUpperCase("und") ?? ""}</span>`;
}

/** Name, login name, and organization with the state where there is one, beside the avatar. */
export function accountLines(
  { displayName, loginName, organizationName, avatarFile }: AccountView,
  state?: string,
): Html {
  const place = organizationName === undefined ? undefined : given(organizationName);
  const last = place !== undefined && state !== undefined ? html`${place} · ${state}` : (place ?? state);
  return html`${avatar(displayName, avatarFile)}<span class="names"><span>${given(displayName)}</span>${
    loginName !== displayName && html` <span>${given(loginName)}</span>`
  }${last !== undefined && html` <span>${last}</span>`}</span>`;
}

/** An account, alone. */
export const accountBox = (account: AccountView): Html => html`<div class="identity">${accountLines(account)}</div>`;

/** The login name that was entered, with the way back. Shows nothing that a stranger could not know: no picture either. */
export const enteredName = (context: PageContext, loginName: string, changeHref: Href): Html =>
  html`<div class="identity">${avatar(loginName)}<span><span class="visually-hidden">${context.say("password.as")} </span>${given(loginName)}</span>
${link(changeHref, context.say("account.change"), context.say("account.change_label", { name: loginName }))}</div>`;
