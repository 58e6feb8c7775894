import { isIP } from "node:net";
import { createAllowList } from "./allow-list.ts";
import { parseTarget } from "./target.ts";

/**
 * Tells of a text whether it is a target at all, and whether it names an address that requests are never sent to. Names are not resolved:
 * what they lead to is looked at when a request is sent.
 */
export type TargetRule = (target: string) => "allowed" | "malformed" | "forbidden";

/** Makes the rule that targets are stored by. */
export function createTargetRule({ allow }: { readonly allow: readonly string[] }): TargetRule {
  const allowed = createAllowList(allow);
  return (target) => {
    const url = parseTarget(target);
    if (url === undefined) return "malformed";
    const host = url.hostname.replace(/^\[|\]$/g, "");
    const isPlain = url.protocol === "http:";
    return isIP(host) === 0 || allowed.mayReach({ host, isPlain }, host) ? "allowed" : "forbidden";
  };
}
