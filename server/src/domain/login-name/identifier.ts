import { Fault } from "../../base/fault.ts";
import { addressKey, isMailDomain } from "../../base/names/address-key.ts";
import { canonicalName, hasInvisible } from "../../base/names/canonical.ts";

/** A name as it is shown and written to, and the form in which it is compared. */
export interface Identifier {
  readonly shown: string;
  readonly key: string;
}

/** Parses a username of at most 200 characters. Refuses names that are invisible, deceptive, or ambiguous. */
export function parseUsername(username: string, field: string): Identifier {
  const shown = username.trim().normalize("NFC");
  const name = canonicalName(shown);
  if (!isName(name) || !isName(shown.normalize("NFKC")) || name.startsWith("@") || name.endsWith("@")) {
    throw new Fault("invalid_argument", "user.username_invalid", { field });
  }
  return { shown, key: addressKey(shown) };
}

/**
 * Parses an email address of at most 200 characters, in the form of RFC 5321 §4.1.2 without quoted local parts and
 * address literals. Refuses compatibility characters (full-width `＠`, ligatures …) and domains that are invalid in the
 * DNS: they would be compared as another address than is mailed.
 */
export function parseEmail(address: string, field: string): Identifier {
  const parsed = readEmail(address);
  if (parsed === undefined) throw new Fault("invalid_argument", "user.email_invalid", { field });
  return parsed;
}

/** Returns the key of an address that another system reports; undefined for one that is compared as another address. */
export const emailKeyOf = (address: string): string | undefined => readEmail(address)?.key;

function readEmail(address: string): Identifier | undefined {
  const shown = address.trim().normalize("NFC");
  const [local = "", domain = ""] = shown.split("@");
  const isAddress =
    isName(shown) &&
    shown.normalize("NFKC") === shown &&
    shown.split("@").length === 2 &&
    isLocal(local) &&
    isDomain(domain) &&
    isMailDomain(domain);
  return isAddress ? { shown, key: addressKey(shown) } : undefined;
}

/** Drops the spaces, hyphens, dots, slashes and parentheses of a phone number, or of a part of one. */
export const compactDigits = (typed: string): string => typed.replace(/[\s().\-/]/g, "");

/** Converts a phone number, or the beginning of one, from how people type it to how it is stored: `00` is `+`. */
export const compactPhone = (typed: string): string => compactDigits(typed).replace(/^00/, "+");

/** Parses a phone number with country code in E.164: `+` and 7 to 15 digits. */
export function parsePhone(number: string, field: string): string {
  const compact = compactPhone(number);
  if (!/^\+[1-9]\d{6,14}$/.test(compact)) throw new Fault("invalid_argument", "user.phone_invalid", { field });
  return compact;
}

/** Parses an id that the caller chose: 1 to 200 characters that are readable and can be part of a path. */
export function parseChosenId(id: string, field: string): string {
  if (id.length < 1 || id.length > 200 || hasInvisible(id) || /[\s/?#%\\]|^\.\.?$/.test(id)) {
    throw new Fault("invalid_argument", "user.id_invalid", { field });
  }
  return id;
}

/** Parses input as a login name. Returns undefined when no user can have such a name. */
export function parseLoginName(
  loginName: string,
): { readonly key: string; readonly local: string; readonly domain?: string } | undefined {
  const name = canonicalName(loginName);
  if (name.length < 1 || name.length > 420 || hasInvisible(loginName.trim()) || /\s/.test(name)) return undefined;
  const key = addressKey(loginName);
  const at = key.lastIndexOf("@");
  return at < 0 ? { key, local: key } : { key, local: key.slice(0, at), domain: key.slice(at + 1) };
}

// 1 to 200 visible characters without white space, quotes, angle brackets or a second "@", of one script family.
function isName(text: string): boolean {
  if (text.length < 1 || text.length > 200 || hasInvisible(text)) return false;
  return !/[\s"<>\\,;:()[\]]/.test(text) && text.split("@").length <= 2 && !isMixed(text);
}

// Latin beside Cyrillic or Greek serves to imitate another name; no language mixes them in one name.
function isMixed(text: string): boolean {
  if (/^\p{ASCII}*$/u.test(text)) return false;
  return text
    .split(/[@.]/)
    .some((part) => /\p{Script=Latin}/u.test(part) && /[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(part));
}

function isLocal(local: string): boolean {
  return local.length <= 64 && /^[^.@]+(\.[^.@]+)*$/.test(local);
}

function isDomain(domain: string): boolean {
  return domain.split(".").every((label) => /^[\p{L}\p{N}]([\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?$/u.test(label));
}
