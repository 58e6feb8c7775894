import { noAccess } from "./access.ts";
import type { Call, Caller } from "./call.ts";
import type { Preparation } from "./preparation.ts";

/**
 * Returns the call of a user who acts on their own account, without any permissions: their administrative positions do
 * not count. For use right after the user has authenticated; `preparedBy` is what that authentication depends on. An
 * attempt that goes on passes `isProven: false`: its proof is weighed whenever it is used.
 */
export const asPerson = (
  call: Call,
  { userId, organizationId }: Pick<Caller, "userId" | "organizationId">,
  preparedBy: readonly Preparation[] = [],
  isProven = true,
): Call & { readonly caller: Caller } => ({
  ...call,
  caller: { userId, organizationId, preparedBy, access: noAccess, ...(isProven && { isProven }) },
});
