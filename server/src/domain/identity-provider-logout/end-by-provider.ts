import type { Call } from "../../call/index.ts";
import type { Database, Tx } from "../../database/index.ts";
import type { IdentityProvider } from "../identity-provider/index.ts";
import type { LogoutOfProvider } from "../identity-provider-client/index.ts";
import {
  deleteProviderSessions,
  listProviderSessions,
  type ProviderSession,
} from "../identity-provider-intent/index.ts";
import { listLiveSessions } from "../session/index.ts";
import { terminateSession } from "../sign-out/index.ts";

// More than users have; what is beyond it ends by its own lifetime.
const most = 100;

/**
 * Ends the sessions here that were opened with sessions of a provider which have ended there: all of an account, or
 * those that the provider names. A session that began after the request does not end, so that a request counts once.
 */
export async function endByProvider(
  { database }: { readonly database: Database },
  call: Call,
  provider: IdentityProvider,
  { nameId, sessionIndexes, issuedAt: until }: LogoutOfProvider,
): Promise<void> {
  const { identityProviderId, speaker } = provider;
  await database.touch(call, async (tx) => {
    const named = { identityProviderId, speaker, nameId, until, limit: most };
    const found = await listProviderSessions(tx, tx.instanceId, named);
    const isMeant = ({ sessionIndex }: ProviderSession): boolean =>
      sessionIndexes.length === 0 || (sessionIndex !== null && sessionIndexes.includes(sessionIndex));
    const ending = found.filter(isMeant);
    const intentIds = ending.map(({ intentId }) => intentId);
    for (const userId of new Set(ending.flatMap((session) => session.userId ?? []))) {
      await endSessionsOf(tx, userId, intentIds);
    }
    await deleteProviderSessions(tx, intentIds);
  });
}

async function endSessionsOf(tx: Tx, userId: string, intentIds: readonly string[]): Promise<void> {
  for (const { sessionId, factors } of await listLiveSessions(tx, tx.instanceId, { userId, limit: most })) {
    if (factors.intentId !== undefined && intentIds.includes(factors.intentId)) await terminateSession(tx, sessionId);
  }
}
