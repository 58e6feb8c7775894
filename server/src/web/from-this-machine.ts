import { BlockList, isIP } from "node:net";
import type { WebRequest } from "./exchange.ts";

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8);
loopback.addAddress("::1", "ipv6");

const forwarding = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip"];

/** Whether the request was made on this very machine and without a proxy: any header of a proxy indicates one. */
export function isFromThisMachine(request: Pick<WebRequest, "clientAddress" | "header">): boolean {
  const { clientAddress } = request;
  if (forwarding.some((name) => request.header(name) !== undefined)) return false;
  return loopback.check(clientAddress, isIP(clientAddress) === 6 ? "ipv6" : "ipv4");
}
