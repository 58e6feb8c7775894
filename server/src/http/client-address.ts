import { isIP } from "node:net";
import { blockListOf, contains } from "../base/outbound/index.ts";

/** Returns the address of the client behind a connection. */
export type ClientAddress = (peer: string | undefined, forwardedFor: string | undefined) => string;

/**
 * Creates the lookup of client addresses. It is the peer's, unless the peer is a trusted proxy; then it is the last
 * address of `X-Forwarded-For` that is not itself a trusted proxy. Entries further left can be forged by the client.
 */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  const isTrusted = createProxyTest(trustedProxies);
  return (peer, forwardedFor) => {
    const direct = plain(peer ?? "");
    if (!isTrusted(direct)) return direct;
    const chain = (forwardedFor ?? "").split(",").map((entry) => plain(withoutPort(entry.trim())));
    for (const address of chain.reverse()) {
      if (isIP(address) === 0) break;
      if (!isTrusted(address)) return address;
    }
    return direct;
  };
}

/** Returns whether an address is that of a trusted proxy. */
export function createProxyTest(trustedProxies: readonly string[]): (address: string) => boolean {
  const trusted = blockListOf(trustedProxies);
  return (address) => contains(trusted, plain(address));
}

// Some proxies write the port as well: `192.0.2.1:4711`, `[2001:db8::1]:4711`.
const withoutPort = (entry: string): string =>
  /^(?:\[([^\]]*)\]|([\d.]+))(?::\d+)?$/.exec(entry)?.slice(1).join("") ?? entry;

/** Returns an IPv4 address as such where a socket for both versions writes it as one of IPv6. */
export const plain = (address: string): string => (address.startsWith("::ffff:") ? address.slice(7) : address);
