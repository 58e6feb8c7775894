import { BlockList, isIP } from "node:net";

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
  const trusted = toBlockList(trustedProxies);
  return (address) => {
    const family = isIP(plain(address));
    return trustedProxies.length > 0 && family !== 0 && trusted.check(plain(address), family === 6 ? "ipv6" : "ipv4");
  };
}

/** Returns networks in CIDR notation, or single addresses, as a list to check addresses against. */
function toBlockList(networks: readonly string[]): BlockList {
  const blocks = new BlockList();
  for (const network of networks) {
    const [address = "", prefix] = network.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    if (prefix === undefined) blocks.addAddress(address, family);
    else blocks.addSubnet(address, Number(prefix), family);
  }
  return blocks;
}

// Some proxies write the port as well: `192.0.2.1:4711`, `[2001:db8::1]:4711`.
const withoutPort = (entry: string): string =>
  /^(?:\[([^\]]*)\]|([\d.]+))(?::\d+)?$/.exec(entry)?.slice(1).join("") ?? entry;

/** Returns an IPv4 address as such where a socket for both versions writes it as one of IPv6. */
export const plain = (address: string): string => (address.startsWith("::ffff:") ? address.slice(7) : address);
