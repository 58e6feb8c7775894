import { type Right, rights } from "../call/index.ts";
import { iam } from "./scope.ts";

const prefix = `${iam}:api:`;

/** Whether a scope (with our own word) is one of a right at our own APIs: `urn:service:iam:api:me:read`. */
export const isRightScope = (scope: string): boolean => scope.startsWith(prefix);

/** Returns the scope of a right, with the given namespace word. */
export const scopeOfRight = (right: Right, word = "service"): string => `urn:${word}:iam:api:${right}`;

/**
 * Returns the rights that scopes (with our own word) name. A right to change includes the right to read the same, and
 * every right includes the smallest, because an application has to know whose token it holds.
 */
export function rightsOfScope(scope: ReadonlySet<string>): ReadonlySet<Right> {
  const named = rights.filter((right) => scope.has(`${prefix}${right}`));
  return new Set(named.flatMap((right): Right[] => [right, ...included[right]]));
}

const included: Readonly<Record<Right, readonly Right[]>> = {
  "me:read": [],
  "me:write": ["me:read"],
  "admin:read": ["me:read"],
  "admin:write": ["me:read", "admin:read"],
};
