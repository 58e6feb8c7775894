import { Fault } from "../../base/fault.ts";
import { type Call, formatAuthorOfSession } from "../../call/index.ts";
import { answeredAt, findHostedIntent, type IdentityIntent } from "../identity-provider-intent/index.ts";
import {
  authTimeOf,
  findSession,
  isFreshlySignedIn,
  listSignedInSessions,
  preparationsOf,
  type Session,
} from "../session/index.ts";
import type { BrowserVisit, SignInDeps } from "../sign-in/index.ts";
import { freshForChange } from "../user/index.ts";
import type { ExternalAttempt } from "./external-attempt.ts";
import { linkProvenAccount } from "./link-proven-account.ts";
import { settleLink } from "./settle-link.ts";

/**
 * Finds the session that proves to which user the account of an attempt may be linked: fully signed in, in this
 * browser, with all factors checked after the provider answered and at most `maxAge` milliseconds ago. An older session
 * proves only that a browser was left open (CVE-2026-105207), as one does that was signed in for something else while
 * the answer waited. Prefers the newest.
 */
export async function findProofOfUser(
  deps: SignInDeps,
  call: Call,
  { browserHash }: Pick<BrowserVisit, "browserHash">,
  { intent, maxAge }: { readonly intent: IdentityIntent; readonly maxAge: number },
): Promise<Session | undefined> {
  const age = Math.min(call.now - answeredAt(intent), maxAge);
  const sessions = await listSignedInSessions(deps, call, browserHash);
  const isProof = await Promise.all(sessions.map((session) => isFreshlySignedIn(deps, call, session, age)));
  return sessions
    .filter((_, index) => isProof[index])
    .toSorted((one, other) => (authTimeOf(other) ?? 0) - (authTimeOf(one) ?? 0))[0];
}

/** The result of linking an account: `unproven` until the user has signed in for it. */
export type LinkOutcome = "linked" | "refused" | "unproven" | "gone";

/**
 * Links the account of an attempt to the user who signed in for that, and consumes the attempt. Any obstacle ends the
 * attempt with a reason.
 */
export async function linkExternally(
  deps: SignInDeps,
  call: Call,
  visit: BrowserVisit,
  { attempt, sessionId }: { readonly attempt: ExternalAttempt; readonly sessionId: string },
): Promise<LinkOutcome> {
  const { browserHash } = visit;
  const key = { intentId: attempt.intentId, browserHash };
  const intent = await findHostedIntent(deps.database.read, call.instanceId, key, call.now);
  if (intent?.state !== "succeeded") return "gone";
  if (intent.wantsLink !== 1) return "unproven";
  const session = await findProofOfUser(deps, call, visit, { intent, maxAge: freshForChange });
  const { userId, organizationId } = session ?? {};
  // Another user has signed in since the question was shown, so it must be asked again.
  if (session?.sessionId !== sessionId || userId === undefined || organizationId === undefined) return "unproven";
  return settleLink(deps, call, { attempt, browserHash, user: { userId, organizationId } }, async (tx) => {
    const held = await findSession(tx, tx.instanceId, sessionId);
    if (held === undefined || held.terminatedAt !== undefined || held.userId !== userId) {
      throw new Fault("failed_precondition", "identity_sign_in.user_inactive");
    }
    const author = formatAuthorOfSession(preparationsOf(held));
    await linkProvenAccount(tx, { userId, organizationId }, { attempt, intent, author, reach: "everywhere" });
  });
}
