import type { Call } from "../../call/index.ts";
import type { Database, Details } from "../../database/index.ts";
import { type BeginDeps, beginAccount, codeInvalid } from "../contact/index.ts";
import { leaveInitialState, readDetails } from "../user/index.ts";

/**
 * Accepts an invitation by its code, which also proves the email address that it was sent to. The code is the
 * permission.
 */
export async function verifyInvitation(
  deps: BeginDeps & { readonly database: Database },
  call: Call,
  input: { readonly userId: string; readonly code: string },
): Promise<Details> {
  const details = await deps.database.change(call, async (tx) => {
    const begun = await beginAccount(tx, deps, { ...input, kind: "invitation" });
    if (begun === undefined) return undefined;
    await leaveInitialState(tx, begun.user);
    return readDetails(tx, begun.user);
  });
  if (details === undefined) throw codeInvalid();
  return details;
}
