import type { Instant } from "../../base/clock.ts";
import type { Call } from "../../call/index.ts";
import { isSignedIn, type SignedInDeps } from "./is-signed-in.ts";
import type { Factors, Session } from "./session.ts";

/**
 * Returns whether everything that the user has to sign in with was checked in the session at most `maxAge` milliseconds
 * ago. Changes to the methods of signing in demand this, so that an unattended screen does not give the account away.
 */
export function isFreshlySignedIn(deps: SignedInDeps, call: Call, session: Session, maxAge: number): Promise<boolean> {
  return isSignedIn(deps, call, { ...session, factors: checkedSince(session.factors, call.now - maxAge) });
}

/** Returns what was checked at the instant or later. */
export const checkedSince = (factors: Factors, since: Instant): Factors =>
  Object.fromEntries(
    Object.entries(factors).filter(([, checkedAt]) => typeof checkedAt !== "number" || checkedAt >= since),
  );
