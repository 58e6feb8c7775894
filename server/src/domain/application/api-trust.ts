import { isDeepStrictEqual } from "node:util";
import { type Call, requirePermission } from "../../call/index.ts";
import type { Application, Configuration } from "./application.ts";

/** The permission, held at the instance, to trust an application with users' tokens for our own APIs. */
const permission = "iam.write";

/** Admits callers who may trust an application with our own APIs: administrators of the instance, and no others. */
export const requireMayTrust = (call: Call): void => requirePermission(call, permission, {});

/**
 * Returns the changed configuration with the trust that remains. An administrator of the instance vouches for an
 * application as it was then. Any change of its configuration by another caller ends the trust, because the address
 * that receives codes, or the key that redeems them, could then belong to a stranger. `isStated`: the caller asks for
 * trust, which is refused instead of dropped.
 */
export function trustAfterChange<Changed extends Configuration>(
  call: Call,
  { configuration: before }: Application,
  after: Changed,
  { isStated }: { readonly isStated: boolean },
): Changed {
  if (!("isTrustedForApi" in after) || !after.isTrustedForApi || isDeepStrictEqual(before, after)) return after;
  if (mayTrust(call)) return after;
  if (isStated) requireMayTrust(call);
  return { ...after, isTrustedForApi: false };
}

/** Whether the caller may trust an application with our own APIs. */
export const mayTrust = ({ caller }: Call): boolean => caller?.access.allows(permission, {}) === true;
