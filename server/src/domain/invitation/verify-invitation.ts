import type { Call } from "../../call/index.ts";
import type { Database, Details } from "../../database/index.ts";
import { type ContactProofDeps, codeInvalid } from "../contact/index.ts";
import { leaveInitialState, readDetails } from "../user/index.ts";
import { acceptInvitation } from "./accept-invitation.ts";

/**
 * Accepts an invitation by its code, which also proves the email address that it was sent to. The code is the
 * permission.
 */
export async function verifyInvitation(
  deps: ContactProofDeps & { readonly database: Database },
  call: Call,
  input: { readonly userId: string; readonly code: string },
): Promise<Details> {
  const details = await deps.database.change(call, async (tx) => {
    const accepted = await acceptInvitation(tx, deps, input);
    if (accepted === undefined) return undefined;
    const { user } = accepted;
    await leaveInitialState(tx, user);
    return readDetails(tx, user);
  });
  if (details === undefined) throw codeInvalid();
  return details;
}
