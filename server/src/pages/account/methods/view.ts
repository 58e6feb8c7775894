import { given, type Href, type Html, type HtmlValue, html, link, type PageContext } from "../../../html/index.ts";
import { type PasskeySignals, passkeySignals } from "../../login/parts/passkey-signals.ts";
import { type Entry, entryList, section } from "../parts/entry.ts";
import { type AccountFrame, accountPage } from "../parts/frame-view.ts";

/** A passkey or security key. */
interface KeyView {
  readonly name: string;
  readonly createdAt: number;
  readonly removeHref: Href;
}

/** A factor whose codes are typed. */
export interface CodeView {
  readonly kind: "totp" | "otp_email" | "otp_sms";
  readonly isOn: boolean;
  /** Where its codes are sent. */
  readonly recipient?: string | undefined;
  /** Absent when it is enabled, the settings do not allow it, or a prerequisite is missing. */
  readonly addHref?: Href | undefined;
  readonly removeHref?: Href | undefined;
}

/**
 * The user's sign-in methods. Methods that the settings forbid are not offered; existing ones are shown all the same.
 */
export interface MethodsModel extends AccountFrame {
  readonly password:
    | {
        readonly isSet: boolean;
        readonly changedAt?: number | undefined;
        readonly href?: Href | undefined;
        /** Whether it expires soon. */
        readonly isEnding?: boolean;
      }
    | undefined;
  readonly passkeys: readonly KeyView[];
  readonly addPasskeyHref?: Href | undefined;
  readonly securityKeys: readonly KeyView[];
  readonly addSecurityKeyHref?: Href | undefined;
  readonly codes: readonly CodeView[];
  readonly recovery:
    | { readonly left: number; readonly href?: Href | undefined; readonly removeHref?: Href | undefined }
    | undefined;
  readonly links: readonly {
    readonly provider: string;
    readonly username: string;
    /** The provider has changed, so the link signs the user in again only once it was made again. */
    readonly isSuspended?: boolean;
    readonly removeHref: Href;
  }[];
  /** The passkeys for the browser's own list. */
  readonly signals?: PasskeySignals | undefined;
  /** Providers at which another account can be linked. */
  readonly linkable: readonly { readonly provider: string; readonly href: Href }[];
}

export function methodsPage(context: PageContext, model: MethodsModel): Html {
  const { password, passkeys, addPasskeyHref, securityKeys, addSecurityKeyHref, codes, recovery } = model;
  return accountPage(context, model, {
    title: context.say("account.methods.title"),
    intro: context.say("account.methods.text"),
    body: html`${
      (passkeys.length > 0 || addPasskeyHref !== undefined) &&
      section(
        "passkeys",
        context.say("account.passkeys"),
        keys(context, passkeys, "account.passkeys_none"),
        add(context, addPasskeyHref, "account.add_passkey"),
      )
    }
${password !== undefined && section("password", context.say("password.label"), entryList([passwordEntry(context, password)]))}
${
  codes.length + securityKeys.length > 0 || addSecurityKeyHref !== undefined || recovery !== undefined
    ? section(
        "second",
        context.say("account.second_factors"),
        html`<p class="hint">${context.say("account.second_factors_text")}</p>`,
        entryList([
          ...codes.map((code) => codeEntry(context, code)),
          ...securityKeys.map((key) => keyEntry(context, key, context.say("account.security_key"))),
          ...(recovery === undefined ? [] : [recoveryEntry(context, recovery)]),
        ]),
        add(context, addSecurityKeyHref, "account.add_security_key"),
      )
    : undefined
}
${linkSection(context, model)}
${model.signals !== undefined && passkeySignals(model.signals)}`,
  });
}

const linkSection = (context: PageContext, { links, linkable }: MethodsModel): HtmlValue =>
  links.length + linkable.length > 0 &&
  section(
    "links",
    context.say("account.links"),
    links.length > 0 &&
      entryList(
        links.map(({ provider, username, isSuspended = false, removeHref }) => ({
          title: given(provider),
          lines: [
            ...(username === "" ? [] : [given(username)]),
            ...(isSuspended ? [context.say("account.link_suspended")] : []),
          ],
          actions: remove(context, removeHref, provider),
        })),
      ),
    linkable.map(
      ({ provider, href }) =>
        html`<p class="links">${link(href, html`<span>${context.sayHtml("account.link_provider", { provider: given(provider) })}</span>`)}</p>`,
    ),
  );

const add = (
  context: PageContext,
  to: Href | undefined,
  key: "account.add_passkey" | "account.add_security_key",
): HtmlValue => to !== undefined && html`<p class="links">${link(to, context.say(key))}</p>`;

const keys = (context: PageContext, shown: readonly KeyView[], none: "account.passkeys_none"): Html =>
  shown.length === 0
    ? html`<p class="hint">${context.say(none)}</p>`
    : entryList(shown.map((key) => keyEntry(context, key)));

const keyEntry = (context: PageContext, { name, createdAt, removeHref }: KeyView, kind?: string): Entry => ({
  icon: kind === undefined ? "passkey" : "key",
  title: name === "" ? context.say("passkey.default_name") : given(name),
  lines: [kind, context.sayHtml("account.added_at", { at: context.showInstant(createdAt) })],
  actions: remove(context, removeHref, name),
});

const remove = (context: PageContext, to: Href, name: string): Html =>
  link(to, context.say("account.remove"), context.say("account.remove_one", { name }));

function passwordEntry(
  context: PageContext,
  { isSet, changedAt, href, isEnding = false }: NonNullable<MethodsModel["password"]>,
): Entry {
  const at = changedAt === undefined ? undefined : context.showInstant(changedAt);
  return {
    icon: "lock",
    title: context.say(isSet ? "account.password.set" : "account.password.none"),
    lines: [
      at === undefined ? undefined : context.sayHtml("account.password.changed_at", { at }),
      isEnding ? context.say("account.suggest.renew_password.text") : undefined,
    ],
    actions:
      href &&
      link(
        href,
        context.say(isSet ? "account.change" : "account.password.add"),
        context.say(isSet ? "account.password.change" : "account.password.add"),
      ),
  };
}

const codeIcons = { totp: "device", otp_email: "mail", otp_sms: "message" } as const;

function codeEntry(context: PageContext, { kind, isOn, recipient, addHref, removeHref }: CodeView): Entry {
  const name = context.say(`account.factor.${kind}`);
  return {
    icon: codeIcons[kind],
    title: name,
    mark: isOn ? context.say("account.on") : undefined,
    isGood: isOn,
    lines: [
      recipient && given(recipient),
      !isOn && addHref === undefined ? context.say(`account.factor.${kind}_needs`) : undefined,
    ],
    actions:
      addHref !== undefined
        ? link(addHref, context.say("account.turn_on"), context.say("account.turn_on_one", { name }))
        : removeHref && remove(context, removeHref, name),
  };
}

function recoveryEntry(context: PageContext, { left, href, removeHref }: NonNullable<MethodsModel["recovery"]>): Entry {
  const name = context.say("account.factor.recovery_codes");
  return {
    icon: "list",
    title: name,
    lines: [left === 0 ? context.say("account.recovery.none") : context.say("account.recovery.left", { count: left })],
    actions: html`${href !== undefined && link(href, context.say(left === 0 ? "account.recovery.make" : "account.recovery.renew"))}
${removeHref !== undefined && remove(context, removeHref, name)}`,
  };
}
