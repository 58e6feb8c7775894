import { isIP } from "node:net";
import { createAllowList } from "./allow-list.ts";
import { parseTarget } from "./target.ts";

/**
 * Checks whether a text is a target, and whether it names a forbidden address. Names are not resolved: their addresses
 * are checked when a request is sent. Where TLS is required, only a host that the operator allowed may do without it.
 */
export type TargetRule = (
  target: string,
  demands?: { readonly demandsTls: boolean },
) => "allowed" | "malformed" | "forbidden";

/** Creates the rule for storing targets. */
export function createTargetRule({ allow }: { readonly allow: readonly string[] }): TargetRule {
  const allowed = createAllowList(allow);
  return (target, demands) => {
    const url = parseTarget(target);
    if (url === undefined) return "malformed";
    const host = url.hostname.replace(/^\[|\]$/g, "");
    const isPlain = url.protocol === "http:";
    const port = url.port === "" ? (isPlain ? 80 : 443) : Number(url.port);
    if (isPlain && demands?.demandsTls === true && !allowed.isOpen({ host, port })) return "forbidden";
    return isIP(host) === 0 || allowed.mayReach({ host, port, isPlain }, host) ? "allowed" : "forbidden";
  };
}
