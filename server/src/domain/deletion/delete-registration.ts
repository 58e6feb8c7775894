import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { holdManaged } from "../registration/index.ts";
import { discardApplication } from "./delete-application.ts";

/**
 * Deletes a client that registered itself, for a caller with its newest token (RFC 7592 §2.3); what was issued to it is
 * revoked. False when the token is not the newest or has ended, or the client does not exist or is deactivated: what an
 * administrator changed or deactivated stays for them to look at.
 */
export function deleteRegistration(
  deps: { readonly database: Database },
  call: Call,
  input: { readonly clientId: string; readonly tokenHash: string },
): Promise<boolean> {
  return deps.database.change(call, async (tx) => {
    const held = await holdManaged(tx, input);
    if (held === undefined) return false;
    await discardApplication(tx, held.application);
    return true;
  });
}
