import type { Brand } from "../../base/brand.ts";

/** An address that a page may link to or post to. */
export type Href = Brand<string, "Href">;

/** Where addresses are read only to look at their scheme; never part of an answer. */
const anywhere = "http://relative.invalid";

/**
 * The address if it is safe in a link: a path of ours, a fragment, or http(s). Undefined for everything else, above all
 * `javascript:` and addresses that a browser reads differently from how they look (`//host`, `/\host`, control characters).
 */
export function toHref(address: string): Href | undefined {
  if (!URL.canParse(address, anywhere) || /[\s\\\p{Cc}]/u.test(address)) return undefined;
  const url = new URL(address, anywhere);
  const isOurs = url.origin === anywhere && /^(?:[/?#]|$)/.test(address) && !address.startsWith("//");
  const isWeb = /^https?:\/\//i.test(address) && url.username === "" && url.password === "";
  return isOurs || isWeb ? (address as Href) : undefined;
}

/** An address that our own code wrote. Throws when it is none that a page may use: a mistake of ours, not of a visitor. */
export function href(address: string): Href {
  const safe = toHref(address);
  if (safe === undefined) throw new TypeError(`not an address for a page: ${address}`);
  return safe;
}

/** A link that writes to an address, for links only. Undefined for what is no plain address. */
export function mailHref(address: string): Href | undefined {
  if (!/^[\w.!#$%&'*+/=?^`{|}~-]+@[\w.-]+$/.test(address) || address.length > 254) return undefined;
  return `mailto:${encodeURIComponent(address).replace("%40", "@")}` as Href;
}

/** A link that somebody entered and that writes to an address, for links only. Undefined for any other (RFC 6068 §2, as far as every reader agrees on it). */
export const mailtoHref = (address: string): Href | undefined =>
  /^mailto:[a-z0-9.!#$%&'*+/=?_~@,;:-]{1,2000}$/i.test(address) ? (address as Href) : undefined;

/** The address with which an authenticator app on the device takes a secret; from our own code, for links only. */
export function authenticatorHref(address: string): Href {
  if (!/^otpauth:\/\/totp\/[\w.~%:@!*'()-]+\?[\w.~%&=!*'()-]+$/.test(address)) {
    throw new TypeError("not an address for an authenticator app");
  }
  return address as Href;
}
