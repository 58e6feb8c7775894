import type { Instant } from "../../base/clock.ts";
import type { IdGenerator } from "../../base/id.ts";
import type { Tx } from "../../database/index.ts";
import { findSessionInBrowser, renewBrowserSession } from "./browser-session.store.ts";
import { insertSession } from "./session.store.ts";
import { hostedLogin, sessionAggregate, type UserAgent } from "./session.ts";
import { moveSessionClients } from "./session-client.store.ts";

export interface BrowserSignIn {
  readonly browserHash: string;
  readonly userId: string;
  readonly organizationId: string;
  readonly userAgent: UserAgent;
  readonly expiresAt: Instant;
  /** What was checked; the password when not given. */
  readonly factor?: "password" | "intent";
}

/** Step: the session of a user in a browser, with the password, or a sign-in at an identity provider, checked at this moment. One user has one session in one browser. */
export async function putBrowserSession(
  tx: Tx,
  deps: { readonly newId: IdGenerator },
  input: BrowserSignIn,
): Promise<{ readonly sessionId: string }> {
  const { browserHash, userId, organizationId, userAgent, expiresAt, factor } = input;
  const checked = factor === "intent" ? { intentCheckedAt: tx.now } : { passwordCheckedAt: tx.now };
  const factors = { userCheckedAt: tx.now, ...checked };
  const payload = { userId, ...factors, expiresAt };
  const existing = await findSessionInBrowser(tx, { browserHash, userId });
  const renewed =
    existing &&
    (await renewBrowserSession(tx, { ...existing, factors, expiresAt, userAgent: JSON.stringify(userAgent) }));
  if (renewed !== undefined) {
    await moveSessionClients(tx, { sessionId: renewed.sessionId, expiresAt });
    const { sequence } = renewed.details;
    tx.record({ type: "session.updated", ...sessionAggregate(renewed, tx.instanceId), sequence, payload });
    return { sessionId: renewed.sessionId };
  }
  const sessionId = deps.newId();
  const owner = { sessionId, userId, organizationId, browserHash, creatorId: hostedLogin };
  insertSession(tx, { ...owner, factors, userAgent, expiresAt, metadata: {}, tokenHash: undefined });
  tx.record({ type: "session.created", ...sessionAggregate(owner, tx.instanceId), sequence: 1, payload });
  return { sessionId };
}
