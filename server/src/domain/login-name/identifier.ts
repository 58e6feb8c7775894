import { canonicalName, hasInvisible } from "../../base/canonical.ts";
import { Fault } from "../../base/fault.ts";

/** A name as it is shown and written to, and the form in which it is compared. */
export interface Identifier {
  readonly shown: string;
  readonly key: string;
}

/** Parses a username of at most 200 characters. Refuses names that are invisible, deceptive, or ambiguous. */
export function parseUsername(username: string, field: string): Identifier {
  const shown = username.trim().normalize("NFC");
  const key = canonicalName(shown);
  if (!isName(key) || !isName(shown.normalize("NFKC")) || key.startsWith("@") || key.endsWith("@")) {
    throw new Fault("invalid_argument", "user.username_invalid", { field });
  }
  return { shown, key };
}

/**
 * Parses an email address of at most 200 characters, in the form of RFC 5321 §4.1.2 without quoted local parts and
 * address literals. Refuses compatibility characters (full-width `＠`, ligatures …): they would be compared as another
 * address than is mailed.
 */
export function parseEmail(address: string, field: string): Identifier {
  const shown = address.trim().normalize("NFC");
  const [local = "", domain = ""] = shown.split("@");
  const isAddress =
    isName(shown) &&
    shown.normalize("NFKC") === shown &&
    shown.split("@").length === 2 &&
    isLocal(local) &&
    isDomain(domain);
  if (!isAddress) throw new Fault("invalid_argument", "user.email_invalid", { field });
  return { shown, key: canonicalName(shown) };
}

/**
 * Parses a phone number with country code in E.164: `+` and 7 to 15 digits. Drops spaces, hyphens, dots and
 * parentheses.
 */
export function parsePhone(number: string, field: string): string {
  const compact = number.replace(/[\s().\-/]/g, "").replace(/^00/, "+");
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
  const key = canonicalName(loginName);
  if (key.length < 1 || key.length > 420 || hasInvisible(loginName.trim()) || /\s/.test(key)) return undefined;
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
