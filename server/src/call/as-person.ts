import { noAccess } from "./access.ts";
import type { Call, Caller } from "./call.ts";

/**
 * Returns the call of a user who acts on their own account, without any permissions: their administrative positions do
 * not count. For use right after the user has authenticated.
 */
export const asPerson = (
  call: Call,
  { userId, organizationId }: Pick<Caller, "userId" | "organizationId">,
): Call & { readonly caller: Caller } => ({
  ...call,
  caller: { userId, organizationId, access: noAccess, isProven: true },
});
