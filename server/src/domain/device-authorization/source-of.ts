import { isIP } from "node:net";

/**
 * Returns the source that an address counts as: for IPv6 the network, because a single subscriber has 2^64 addresses in
 * it (RFC 6177).
 */
export function sourceOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (isIP(address) !== 6) return address;
  // The URL parser accepts every spelling of an address and normalizes it to that of RFC 5952.
  const written = new URL(`http://[${address.split("%", 1)[0]}]`).hostname.slice(1, -1);
  const [head = "", tail] = written.split("::");
  const groups = head === "" ? [] : head.split(":");
  const rest = tail === undefined || tail === "" ? [] : tail.split(":");
  const missing = tail === undefined ? 0 : 8 - groups.length - rest.length;
  const all = [...groups, ...new Array<string>(missing).fill("0"), ...rest];
  return `${all.slice(0, 4).join(":")}::/64`;
}
