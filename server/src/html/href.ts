import type { Brand } from "../base/brand.ts";
import { isMailtoLink } from "../base/names/web-address.ts";

/** An address that a page may link to or post to. */
export type Href = Brand<string, "Href">;

/** Base for parsing addresses to check their scheme; never part of a response. */
const anywhere = "http://relative.invalid";

/**
 * Returns the address if it is safe in a link: a path of ours, a fragment, or http(s). Returns undefined for everything
 * else, above all `javascript:` and addresses that a browser reads differently from how they look (`//host`, `/\host`,
 * control characters).
 */
export function toHref(address: string): Href | undefined {
  if (!URL.canParse(address, anywhere) || /[\s\\\p{Cc}]/u.test(address)) return undefined;
  const url = new URL(address, anywhere);
  const isOurs = url.origin === anywhere && /^(?:[/?#]|$)/.test(address) && !address.startsWith("//");
  const isWeb = /^https?:\/\//i.test(address) && url.username === "" && url.password === "";
  return isOurs || isWeb ? (address as Href) : undefined;
}

/** Returns an address from our own code. Throws for an unsafe one, which is a bug and not a user's mistake. */
export function href(address: string): Href {
  const safe = toHref(address);
  if (safe === undefined) throw new TypeError(`not an address for a page: ${address}`);
  return safe;
}

/** Returns a mailto link to an address, for links only. Returns undefined for anything but a plain address. */
export function mailHref(address: string): Href | undefined {
  if (!/^[\w.!#$%&'*+/=?^`{|}~-]+@[\w.-]+$/.test(address) || address.length > 254) return undefined;
  return `mailto:${encodeURIComponent(address).replace("%40", "@")}` as Href;
}

/** Returns a configured mailto link, for links only. Returns undefined for any other. */
export const mailtoHref = (address: string): Href | undefined =>
  isMailtoLink(address) ? (address as Href) : undefined;

/**
 * Returns the address with which an authenticator app on the device imports a secret; from our own code, for links
 * only.
 */
export function authenticatorHref(address: string): Href {
  if (!/^otpauth:\/\/totp\/[\w.~%:@!*'()-]+\?[\w.~%&=!*'()-]+$/.test(address)) {
    throw new TypeError("not an address for an authenticator app");
  }
  return address as Href;
}
