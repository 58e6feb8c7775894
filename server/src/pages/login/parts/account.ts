import { shownLoginName } from "../../../base/names/shown-login-name.ts";
import { pathOfAvatar } from "../../../domain/picture/index.ts";
import { attributes, given, type Href, type Html, html, link, type PageContext } from "../../../html/index.ts";

/** An account that this browser knows. */
export interface AccountView {
  /** Name of the user; the username if there is no other. */
  readonly displayName: string;
  readonly loginName: string;
  /** Whether another account of the list would be shown alike: then the whole login name is. */
  readonly isAmbiguous?: boolean | undefined;
  /** Shown where accounts of several organizations are listed together. */
  readonly organizationName?: string | undefined;
  /** File name of the user's picture. */
  readonly avatarFile?: string | null | undefined;
}

// Made with the first picture: it reads 3 MiB of ICU's data, which a server of programs never needs.
let graphemes: Intl.Segmenter | undefined;
const firstGraphemeOf = (text: string): string => {
  graphemes ??= new Intl.Segmenter("und", { granularity: "grapheme" });
  const [first] = graphemes.segment(text);
  return first?.segment ?? "";
};

/**
 * Renders the picture of a user, or the first letter of a name. Hidden from screen readers, because the name is beside
 * it. Its space is reserved before it has loaded, so that nothing moves.
 */
export function avatar(name: string, file?: string | null): Html {
  if (typeof file === "string") {
    return html`<img class="avatar" alt="" width="36" height="36"${attributes({ src: pathOfAvatar(file) })}>`;
  }
  return html`<span class="avatar" aria-hidden="true">${firstGraphemeOf(name.trim()).toLocaleUpperCase("und")}</span>`;
}

/** Returns the login name that tells an account apart from others of its list. */
export const nameOf = ({ loginName, isAmbiguous = false }: Pick<AccountView, "loginName" | "isAmbiguous">): string =>
  isAmbiguous ? loginName : shownLoginName(loginName);

/** Renders name, username, and the organization with its state if any, beside the avatar. */
export function accountLines(
  { displayName, loginName, isAmbiguous, organizationName, avatarFile }: AccountView,
  state?: string,
): Html {
  const name = nameOf({ loginName, isAmbiguous });
  const organization = organizationName === undefined ? undefined : given(organizationName);
  const last =
    organization !== undefined && state !== undefined ? html`${organization} · ${state}` : (organization ?? state);
  return html`${avatar(displayName, avatarFile)}<span class="names"><span>${given(displayName)}</span>${
    name !== displayName && html` <span>${given(name)}</span>`
  }${last !== undefined && html` <span>${last}</span>`}</span>`;
}

/** Renders a single account. */
export const accountBox = (account: AccountView): Html => html`<div class="identity">${accountLines(account)}</div>`;

/**
 * Renders the entered username (`shownNameOf`), with a link to change it. It shows nothing that is not public: no
 * picture either.
 */
export function enteredName(context: PageContext, name: string, changeHref: Href): Html {
  return html`<div class="identity">${avatar(name)}<span><span class="visually-hidden">${context.say("password.as")} </span>${given(name)}</span>
${link(changeHref, context.say("account.change"), context.say("account.change_label", { name }))}</div>`;
}
