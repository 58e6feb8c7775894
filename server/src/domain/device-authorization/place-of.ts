import { isIP } from "node:net";

/** The place that an address stands for: with IPv6 the network, because whoever has one address there has 2^64 of them (RFC 6177). */
export function placeOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (isIP(address) !== 6) return address;
  // The URL parser knows every spelling of an address and writes the one of RFC 5952.
  const written = new URL(`http://[${address.split("%", 1)[0]}]`).hostname.slice(1, -1);
  const [head = "", tail] = written.split("::");
  const groups = head === "" ? [] : head.split(":");
  const rest = tail === undefined || tail === "" ? [] : tail.split(":");
  const missing = tail === undefined ? 0 : 8 - groups.length - rest.length;
  const all = [...groups, ...new Array<string>(missing).fill("0"), ...rest];
  return `${all.slice(0, 4).join(":")}::/64`;
}
