import type { Call } from "../../call/index.ts";
import { type Database, performAll } from "../../database/index.ts";
import type { IdentityProvider } from "../identity-provider/index.ts";
import type { LogoutOfProvider } from "../identity-provider-client/index.ts";
import { deleteProviderSessions } from "../identity-provider-intent/index.ts";
import { terminateSession } from "../sign-out/index.ts";
import { holdOpenedSessions } from "./opened-session.store.ts";

// Each of them has tokens and notices.
const size = 20;

/**
 * Ends the sessions here that were opened with sessions of a provider which have ended there: all of an account, or
 * those that the provider names. A session that began after the request does not end, so that a request counts once.
 */
export function endByProvider(
  { database }: { readonly database: Database },
  call: Call,
  { identityProviderId, speaker }: IdentityProvider,
  logout: LogoutOfProvider,
): Promise<void> {
  const meant = { ...logout, identityProviderId, speaker };
  return database.touch(call, (tx) =>
    performAll(tx, {
      size,
      list: (own, limit) => holdOpenedSessions(own, meant, limit),
      perform: async (own, opened) => {
        for (const { sessionId } of opened) await terminateSession(own, sessionId);
        await deleteProviderSessions(
          own,
          opened.map(({ intentId }) => intentId),
        );
      },
    }),
  );
}
