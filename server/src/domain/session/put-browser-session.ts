import type { Instant } from "../../base/clock.ts";
import type { IdGenerator } from "../../base/id.ts";
import type { Tx } from "../../database/index.ts";
import { bindProviderSession } from "../identity-provider-intent/index.ts";
import { findSessionInBrowser, renewBrowserSession } from "./browser-session.store.ts";
import { withPreparations } from "./preparations.ts";
import { insertSession } from "./session.store.ts";
import { checksOf, type Factors, hostedLogin, type Session, sessionAggregate, type UserAgent } from "./session.ts";
import { moveSessionClients } from "./session-client.store.ts";

export interface BrowserSignIn {
  readonly browserHash: string;
  readonly userId: string;
  readonly organizationId: string;
  readonly userAgent: UserAgent;
  readonly expiresAt: Instant;
  /** What was checked besides the name, now or earlier in this attempt. */
  readonly factors: Factors;
}

/**
 * Step: renews or creates the session of a user in a browser, with the name and `factors` as checked. A user has one
 * session in a browser.
 */
export async function putBrowserSession(
  tx: Tx,
  deps: { readonly newId: IdGenerator },
  input: BrowserSignIn,
): Promise<{ readonly sessionId: string }> {
  const { browserHash, userId, organizationId, userAgent, expiresAt } = input;
  const factors = { ...input.factors, userCheckedAt: tx.now };
  const payload = { userId, ...checksOf(factors), expiresAt };
  const { intentId } = factors;
  const existing = await findSessionInBrowser(tx, { browserHash, userId });
  const renewed = existing && (await renew(tx, existing, { ...input, factors }));
  if (renewed !== undefined) {
    bindProviderSession(tx, { intentId, sessionId: renewed.sessionId });
    await moveSessionClients(tx, { sessionId: renewed.sessionId, expiresAt });
    const { sequence } = renewed.details;
    tx.record({ type: "session.updated", ...sessionAggregate(renewed, tx.instanceId), sequence, payload });
    return { sessionId: renewed.sessionId };
  }
  const sessionId = deps.newId();
  bindProviderSession(tx, { intentId, sessionId });
  const owner = { sessionId, userId, organizationId, browserHash, creatorId: hostedLogin };
  insertSession(tx, { ...owner, factors, userAgent, expiresAt, metadata: {}, tokenHash: undefined });
  tx.record({ type: "session.created", ...sessionAggregate(owner, tx.instanceId), sequence: 1, payload });
  return { sessionId };
}

// Tokens issued in the earlier session remain valid, so the session keeps its earlier preparations.
function renew(
  tx: Tx,
  former: Session,
  { factors: checked, expiresAt, userAgent }: BrowserSignIn,
): Promise<Session | undefined> {
  const { sessionId } = former;
  const factors = withPreparations(former, checked);
  return renewBrowserSession(tx, { sessionId, factors, expiresAt, userAgent: JSON.stringify(userAgent) });
}
