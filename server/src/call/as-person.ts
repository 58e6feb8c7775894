import { noAccess } from "./access.ts";
import type { Call, Caller } from "./call.ts";

/**
 * The call of a person who acts on his own account, with no permission at all: whatever he administers gives him nothing by it. For who has just seen
 * him prove who he is.
 */
export const asPerson = (
  call: Call,
  { userId, organizationId }: Pick<Caller, "userId" | "organizationId">,
): Call & { readonly caller: Caller } => ({
  ...call,
  caller: { userId, organizationId, access: noAccess, isProven: true },
});
