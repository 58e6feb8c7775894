import { isIP } from "node:net";

/**
 * Returns the network that counts as one source: an IPv4 address, or the /64 of an IPv6 address, the smallest network
 * that providers assign. Returns other texts unchanged.
 */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const [withoutZone = ""] = address.split("%");
  const [head = "", tail] = withoutZone.split("::");
  const groups = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? 0 : tail.split(":").length;
  const missing = tail === undefined ? 0 : Math.max(0, 8 - groups.length - after);
  const first = [...groups, ...Array.from({ length: missing }, () => "0"), ...(tail?.split(":") ?? [])].slice(0, 4);
  return `${first.map((group) => Number.parseInt(group || "0", 16).toString(16)).join(":")}::/64`;
}

/**
 * Returns the block that a network (`networkOf`) is part of: the /48 of an IPv6 network, because sites get up to a /48
 * of these networks. Returns other texts unchanged.
 */
export function blockOf(network: string): string {
  if (!network.endsWith("::/64")) return network;
  const [, first] = /^([0-9a-f]+:[0-9a-f]+:[0-9a-f]+):[0-9a-f]+::\/64$/.exec(network) ?? [];
  return first === undefined ? network : `${first}::/48`;
}

/**
 * How many times what one network may use all networks of its block may use together. A site with thousands of networks
 * gets no more, and neighbors in a block, as in mobile networks, are not limited as if they were one.
 */
export const networksOfBlock = 4;

/**
 * What a budget for sources counts a request for: its network, and all networks of its block, which have more together.
 */
export interface SourceShare {
  readonly of: string;
  /** How many times the budget of a source. */
  readonly times: number;
}

/** Returns whose budgets a source uses up. An IPv4 address is a block of its own. */
export function sharesOf(source: string): readonly SourceShare[] {
  const block = blockOf(source);
  const own = { of: source, times: 1 };
  return block === source ? [own] : [own, { of: block, times: networksOfBlock }];
}
