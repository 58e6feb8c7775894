import type { Call } from "../../call/index.ts";
import { type Database, performAll, type Tx } from "../../database/index.ts";
import type { IdentityProvider } from "../identity-provider/index.ts";
import type { LogoutOfProvider } from "../identity-provider-client/index.ts";
import { endProviderSessions, refuseAnswers, refuseUnreadAnswers } from "../identity-provider-intent/index.ts";
import { endAttemptsOfAnswers, terminateSession } from "../sign-out/index.ts";
import { listAnsweredIntents } from "./opened-session.store.ts";

// Each of them has tokens and notices.
const size = 20;

/** What a provider ends. */
interface EndByProvider {
  readonly provider: Pick<IdentityProvider, "identityProviderId">;
  readonly logout: LogoutOfProvider;
  /** The browser that brought the request, if it told. */
  readonly browserHash: string | undefined;
}

/**
 * Ends everything here that rests on sessions of a provider which have ended there: all of an account, or those that
 * the provider names. Besides sessions that is what is half done, so that the next person at the machine has nothing to
 * go on with: answers that wait, also the one that the browser has posted and not come back for, and sign-ins that ask
 * for more. What began after the request does not end, so that a request counts once.
 */
export function endByProvider(
  { database }: { readonly database: Database },
  call: Call,
  { provider: { identityProviderId }, logout, browserHash }: EndByProvider,
): Promise<void> {
  const meant = { ...logout, identityProviderId };
  return database.touch(call, async (tx) => {
    await performAll(tx, { size, list: (own, limit) => listAnsweredIntents(own, meant, limit), perform: endAll });
    if (browserHash !== undefined) await refuseUnreadAnswers(tx, { browserHash, identityProviderId });
  });
}

// Attempts come first, as for those who use one: what they write meanwhile is found afterwards.
async function endAll(tx: Tx, intentIds: readonly string[]): Promise<void> {
  await refuseAnswers(tx, intentIds);
  const ended = await endProviderSessions(tx, intentIds);
  const sessionIds = new Set(ended.flatMap(({ sessionId }) => sessionId ?? []));
  for (const sessionId of [...sessionIds].toSorted()) await terminateSession(tx, sessionId);
  endAttemptsOfAnswers(tx, { intentIds, userIds: ended.flatMap(({ userId }) => userId ?? []) });
}
