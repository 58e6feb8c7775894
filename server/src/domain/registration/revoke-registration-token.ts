import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { type ApplicationReference, authorizeApplication } from "../application/index.ts";
import { removeToken } from "./registration.store.ts";
import { registrationAggregate } from "./registration.ts";

/**
 * Ends the registration access token of an application that registered itself; nothing else of it ends. Accepted where
 * there is none. Returns the time.
 */
export async function revokeRegistrationToken(
  deps: { readonly database: Database },
  call: Call,
  input: ApplicationReference,
): Promise<{ readonly revokedAt: number }> {
  return deps.database.change(call, async (tx) => {
    const application = await authorizeApplication(tx, input);
    const ended = await removeToken(tx, application.applicationId);
    if (ended !== undefined) {
      const { registration, sequence } = ended;
      const payload = { applicationId: application.applicationId };
      tx.record({ type: "registration.token.revoked", ...registrationAggregate(registration), sequence, payload });
    }
    return { revokedAt: tx.now };
  });
}
