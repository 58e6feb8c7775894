import type { Instant } from "../../base/clock.ts";
import type { Call } from "../../call/index.ts";
import { isSignedIn, type SignedInDeps } from "./is-signed-in.ts";
import type { Factors, Session } from "./session.ts";

/**
 * Whether everything that the person has to sign in with was checked in the session not longer than `maxAge` milliseconds ago: what changes the
 * ways into an account demands that, so that nobody takes an account over at a screen that was left open.
 */
export function isFreshlySignedIn(deps: SignedInDeps, call: Call, session: Session, maxAge: number): Promise<boolean> {
  return isSignedIn(deps, call, { ...session, factors: checkedSince(session.factors, call.now - maxAge) });
}

/** What was checked at the instant or later. */
export const checkedSince = (factors: Factors, since: Instant): Factors =>
  Object.fromEntries(
    Object.entries(factors).filter(([, checkedAt]) => typeof checkedAt !== "number" || checkedAt >= since),
  );
