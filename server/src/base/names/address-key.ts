import { domainToASCII, domainToUnicode } from "node:url";
import { canonicalName } from "./canonical.ts";
import { foldCase } from "./fold-case.ts";
import { parseDomain } from "./host.ts";

/**
 * Returns the form in which email addresses and login names are compared: the part before the first `@` like other
 * names, and each domain after it like the domains of organizations (Punycode, no trailing dot). Otherwise a proven
 * domain would not cover its own Unicode spelling. Anything that is not a domain is compared like other names.
 */
export function addressKey(name: string): string {
  const key = canonicalName(name);
  if (!key.includes("@") || (isAscii(key) && !/\.(?:@|$)/.test(key))) return key;
  // Domains are mapped as they were typed: the lower case of Σ depends on the rest of a name, but not in UTS 46.
  const typed = name.normalize("NFKC").trim().split("@");
  return key
    .split("@")
    .map((part, index) => (index === 0 ? part : (domainOf(typed[index]) ?? part)))
    .join("@");
}

/** Returns a name as it was typed, and with its last domain in Punycode and in Unicode, where these differ. */
export function spellingsOf(name: string): string[] {
  const at = name.lastIndexOf("@");
  const domain = at < 0 ? undefined : domainOf(name.slice(at + 1));
  if (domain === undefined || (isAscii(name) && !domain.includes("xn--"))) return [name];
  const local = name.slice(0, at + 1);
  return [...new Set([name, local + domain, local + domainToUnicode(domain)])];
}

/**
 * Whether mail to a domain reaches the domain that it is compared as. UTS 46 drops some characters (variation
 * selectors) and replaces others, but not every mail server applies it to what was typed.
 */
export function isMailDomain(domain: string): boolean {
  if (isAscii(domain)) return true;
  const isKept = (label: string): boolean => foldCase(domainToUnicode(domainToASCII(label))) === foldCase(label);
  return domainOf(domain) !== undefined && domain.split(".").every((label) => isAscii(label) || isKept(label));
}

const isAscii = (text: string): boolean => /^\p{ASCII}*$/u.test(text);

const domainOf = (text = ""): string | undefined => (/\s/.test(text) ? undefined : parseDomain(text));
