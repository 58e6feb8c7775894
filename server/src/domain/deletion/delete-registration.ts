import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { holdApplication } from "../application/index.ts";
import { findRegistration } from "../registration/index.ts";
import { discardApplication } from "./delete-application.ts";

/**
 * Deletes a client that registered itself, for a caller with its newest token (RFC 7592 §2.3); what was issued to it is
 * revoked. False when the token is not the newest, or the client does not exist or is deactivated: what the instance
 * deactivated stays for it to look at.
 */
export function deleteRegistration(
  deps: { readonly database: Database },
  call: Call,
  input: { readonly clientId: string; readonly tokenHash: string },
): Promise<boolean> {
  return deps.database.change(call, async (tx) => {
    const found = await findRegistration(tx, tx.instanceId, input.clientId);
    const application = found && (await holdApplication(tx, found.registration.applicationId));
    if (application === undefined) return false;
    // Checked again under the lock, which replacing the registration takes too.
    const held = await findRegistration(tx, tx.instanceId, input.clientId);
    if (held?.isActive !== true || held.tokenHash !== input.tokenHash) return false;
    await discardApplication(tx, application);
    return true;
  });
}
