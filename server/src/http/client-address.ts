import { BlockList, isIP } from "node:net";

/** Returns the address of the client behind a connection. */
export type ClientAddress = (peer: string | undefined, forwardedFor: string | undefined) => string;

/**
 * Creates the lookup of client addresses. It is the peer's, unless the peer is a trusted proxy; then it is the last
 * address of `X-Forwarded-For` that is not itself a trusted proxy. Entries further left can be forged by the client.
 */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  const trusted = toBlockList(trustedProxies);
  const isTrusted = (address: string): boolean => trusted.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
  return (peer, forwardedFor) => {
    const direct = plain(peer ?? "");
    if (trustedProxies.length === 0 || isIP(direct) === 0 || !isTrusted(direct)) return direct;
    const chain = (forwardedFor ?? "").split(",").map((entry) => plain(entry.trim()));
    for (const address of chain.reverse()) {
      if (isIP(address) === 0) break;
      if (!isTrusted(address)) return address;
    }
    return direct;
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

const plain = (address: string): string => (address.startsWith("::ffff:") ? address.slice(7) : address);
