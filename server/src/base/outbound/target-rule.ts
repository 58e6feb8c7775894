import { isIP } from "node:net";
import { createAllowList } from "./allow-list.ts";
import { parseTarget } from "./target.ts";

/**
 * Tells of a text whether it is a target at all, and whether it names an address that requests are never sent to. Names are not resolved:
 * what they lead to is looked at when a request is sent. Where TLS is demanded, only a host that an operator opened does without it.
 */
export type TargetRule = (
  target: string,
  demands?: { readonly demandsTls: boolean },
) => "allowed" | "malformed" | "forbidden";

/** Makes the rule that targets are stored by. */
export function createTargetRule({ allow }: { readonly allow: readonly string[] }): TargetRule {
  const allowed = createAllowList(allow);
  return (target, demands) => {
    const url = parseTarget(target);
    if (url === undefined) return "malformed";
    const host = url.hostname.replace(/^\[|\]$/g, "");
    const isPlain = url.protocol === "http:";
    if (isPlain && demands?.demandsTls === true && !allowed.isOpen(host)) return "forbidden";
    return isIP(host) === 0 || allowed.mayReach({ host, isPlain }, host) ? "allowed" : "forbidden";
  };
}
