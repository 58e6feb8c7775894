import { isIP } from "node:net";
import { parseDomain } from "../host.ts";
import { blockListOf, isPublicAddress } from "./address.ts";

/** Decides which addresses a request may reach. */
export interface AllowList {
  /** Whether a request to this host (lower case, IPv6 without brackets) may connect to this address. */
  mayReach(target: { readonly host: string; readonly isPlain: boolean }, address: string): boolean;
  /** Whether the operator allowed this very host, so that it may be reached without TLS whatever its address is. */
  isOpen(host: string): boolean;
}

/**
 * Allows the public internet by TLS, and the operator's exceptions: networks (`10.1.0.0/16`, `::1`), hosts
 * (`hooks.internal`) and all names below a domain (`*.internal`). Exceptions may be reached without TLS too: they are
 * the operator's own network.
 */
export function createAllowList(entries: readonly string[]): AllowList {
  const networks = blockListOf(entries.filter(isNetwork));
  const names = entries.filter((entry) => !isNetwork(entry)).map((entry) => entry.toLowerCase());
  const isOpenHost = (host: string): boolean =>
    names.some((name) => (name.startsWith("*.") ? host.endsWith(name.slice(1)) : host === name));
  const isOpenAddress = (address: string): boolean =>
    isIP(address) !== 0 && networks.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
  return {
    // RFC 6761 §6.3: `localhost` is this machine and nothing else.
    isOpen: (host) => isOpenHost(host) || isOpenAddress(host) || (host === "localhost" && isOpenAddress("127.0.0.1")),
    mayReach: ({ host, isPlain }, address) => {
      if (isIP(address) === 0) return false;
      if (isOpenHost(host) || isOpenAddress(address)) return true;
      return !isPlain && isPublicAddress(address);
    },
  };
}

/** Whether a text is a valid entry of the list: a network, an address, a host, or `*.` and a domain. */
export function isAllowEntry(text: string): boolean {
  if (isNetwork(text)) return true;
  if (text.includes("/") || text.includes(":")) return false;
  return parseDomain(text.startsWith("*.") ? text.slice(2) : text) !== undefined;
}

function isNetwork(text: string): boolean {
  const [address = "", prefix, ...rest] = text.split("/");
  const family = isIP(address);
  if (family === 0 || rest.length > 0 || address.includes("%")) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128));
}
