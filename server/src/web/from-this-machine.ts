import { isLoopbackAddress } from "../base/outbound/index.ts";
import type { WebRequest } from "./exchange.ts";

const forwarding = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip"];

/** Whether the request was made on this very machine and without a proxy: any header of a proxy indicates one. */
export function isFromThisMachine(request: Pick<WebRequest, "clientAddress" | "header">): boolean {
  const { clientAddress } = request;
  if (forwarding.some((name) => request.header(name) !== undefined)) return false;
  return isLoopbackAddress(clientAddress);
}
