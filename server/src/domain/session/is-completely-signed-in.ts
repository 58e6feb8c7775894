import type { Instant } from "../../base/clock.ts";
import type { Call } from "../../call/index.ts";
import { findPasswordChange } from "../password/index.ts";
import { loginSettingsOf } from "../settings/index.ts";
import { allowedFactors } from "./allowed-factors.ts";
import { checkedSince } from "./is-freshly-signed-in.ts";
import { type CountingDeps, freshFactorsOf, isSignedIn, type SignedInDeps } from "./is-signed-in.ts";
import type { Factors, Session } from "./session.ts";

/**
 * Returns whether the hosted login would have signed the user in with what was checked in the session. For sessions
 * that other logins created. Only checks count that are since the instant (when given), fresh enough, and allowed by
 * the login settings. A password counts only when it did not have to be replaced.
 */
export async function isCompletelySignedIn(
  deps: SignedInDeps,
  call: Call,
  session: Session,
  since: Instant | undefined,
): Promise<boolean> {
  const { userId } = session;
  if (userId === undefined) return false;
  const factors = await countingFactors(deps, call, session, since);
  if (!(await isSignedIn(deps, call, { ...session, factors }))) return false;
  const { passwordCheckedAt } = factors;
  // As of when the password was typed: a user who is signed in is not signed out because the password gets too old.
  if (passwordCheckedAt === undefined) return true;
  return (await findPasswordChange(deps, { ...call, now: passwordCheckedAt }, userId)) === undefined;
}

/**
 * Returns what counts of a session that another login created: checks since the instant (when given), fresh enough,
 * allowed, and proven by the user. Tokens state that this was proven, and nothing else.
 */
export async function countingFactors(
  deps: CountingDeps,
  call: Call,
  session: Session,
  since: Instant | undefined,
): Promise<Factors> {
  const settings = await loginSettingsOf(deps, call, session);
  const fresh = await freshFactorsOf(deps, call, session);
  const { organizationId, userId } = session;
  const scope = { instanceId: call.instanceId, organizationId, userId };
  const checked = since === undefined ? fresh : checkedSince(fresh, since);
  return allowedFactors(deps.database.read, scope, checked, settings);
}
