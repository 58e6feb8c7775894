import { performAll, type Tx } from "../../database/index.ts";
import { deleteConsents, holdConsentingUsers } from "../consent/index.ts";
import { denyPendingDevices } from "../device-authorization/index.ts";
import { dropNoticesOfClient, forgetClientOfUsers } from "../logout-notice/index.ts";
import { revokeFamilies } from "../token/index.ts";

/**
 * Step: ends the consents that users gave to a client, what it got by them, the notices of their sign-outs, and its
 * devices that wait for an answer: they were shown to users as what the client was. Notices that wait for another
 * attempt would tell the server of what the client is now.
 */
export async function endConsents(tx: Tx, clientId: string): Promise<void> {
  // Before the consents, because an approval in progress holds its device: afterwards its consent is found.
  await denyPendingDevices(tx, clientId);
  await performAll(tx, {
    list: (own, limit) => holdConsentingUsers(own, clientId, limit),
    perform: async (own, userIds) => {
      // Before the tokens, because those that are being issued hold the consent: afterwards they are found, or were
      // refused.
      await deleteConsents(own, { clientId, userIds });
      await revokeFamilies(own, { clientId, userIds }, "client_changed");
      await forgetClientOfUsers(own, { clientId, userIds });
    },
    // They may act by the client.
    isOfCaller: (userId) => userId === tx.call.caller?.userId,
  });
  await dropNoticesOfClient(tx, clientId);
}
