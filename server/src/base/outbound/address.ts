import { isIP } from "node:net";
import { blockListOf } from "./network.ts";

// IANA's registry of special-purpose addresses (RFC 6890 and its updates), and the addresses that clouds use outside of
// it.
const specialIpv4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  // Azure's wire server, which serves secrets of the machine.
  "168.63.129.16/32",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
];

// Only 2000::/3 is global unicast (RFC 4291 §2.4), so loopback, unique local, link local, multicast, mapped and NAT64
// addresses are outside of it. Inside are protocol assignments with Teredo, documentation, and 6to4, which embeds an
// IPv4 address.
const specialIpv6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"];

const special = blockListOf([...specialIpv4, ...specialIpv6]);
const globalIpv6 = blockListOf(["2000::/3"]);

/** Whether an address belongs to the public internet. False for any other text. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !special.check(address, "ipv4");
    case 6:
      return !address.includes("%") && globalIpv6.check(address, "ipv6") && !special.check(address, "ipv6");
    default:
      return false;
  }
}
