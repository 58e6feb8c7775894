import { BlockList, isIP } from "node:net";

/** Whether a text is a network in CIDR notation or a single address, without a zone. */
export function isNetwork(text: string): boolean {
  const [address = "", prefix, ...rest] = text.split("/");
  const family = isIP(address);
  if (family === 0 || rest.length > 0 || address.includes("%")) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128));
}

/** Returns networks in CIDR notation, or single addresses, as a list to check addresses against. */
export function blockListOf(networks: readonly string[]): BlockList {
  const blocks = new BlockList();
  for (const network of networks) {
    const [address = "", prefix] = network.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    if (prefix === undefined) blocks.addAddress(address, family);
    else blocks.addSubnet(address, Number(prefix), family);
  }
  return blocks;
}

/** Whether an address is in one of the networks. False for any other text. */
export const contains = (networks: BlockList, address: string): boolean =>
  isIP(address) !== 0 && networks.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
