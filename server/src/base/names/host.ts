import { isIP } from "node:net";
import { hasInvisible } from "./canonical.ts";

/**
 * Returns the canonical form of a host name or address: lower case, internationalized labels as Punycode, no port, no
 * trailing dot, IPv6 in brackets. Returns undefined when the text is not a host with an optional port. Hosts are
 * compared and stored only in this form.
 */
export function parseHost(text: string): string | undefined {
  if (text === "" || text.length > 260 || /[\s/?#@\\%]/.test(text) || hasInvisible(text)) return undefined;
  const url = URL.parse(`http://${text}`);
  if (url === null || url.pathname !== "/") return undefined;
  const host = url.hostname.endsWith(".") ? url.hostname.slice(0, -1) : url.hostname;
  return isHost(host) ? host : undefined;
}

/** Returns the canonical form of a domain name: like a host, but without a port and never an address. */
export function parseDomain(text: string): string | undefined {
  if (text.includes(":")) return undefined;
  const domain = parseHost(text.trim());
  return domain === undefined || isIP(domain) !== 0 ? undefined : domain;
}

// RFC 1035 §2.3.4: at most 253 characters in labels of at most 63. An underscore is invalid in host names, but occurs
// in the DNS.
const label = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;

function isHost(host: string): boolean {
  if (host.startsWith("[")) return isIP(host.slice(1, -1)) === 6;
  return host.length <= 253 && host.split(".").every((part) => label.test(part));
}
