import type { Call } from "../../call/index.ts";
import { loginSettingsOf } from "../settings/index.ts";
import { authTimeOf, isExternal } from "./authentication.ts";
import { listBrowserSessions } from "./browser-session.store.ts";
import { lifetimeOf } from "./fresh-factors.ts";
import { isSignedIn, type SignedInDeps } from "./is-signed-in.ts";
import type { Session } from "./session.ts";

/**
 * Lists the sessions with which the browser may sign in without a question; newest first. What was checked is enough,
 * and the password was checked as recently as the login settings of the user's organization demand now, even if they
 * became stricter since.
 */
export async function listSignedInSessions(deps: SignedInDeps, call: Call, browserHash: string): Promise<Session[]> {
  const sessions = await listBrowserSessions(deps.database.read, call.instanceId, browserHash, call.now);
  const isSignedIn = await Promise.all(sessions.map((session) => isWithinSettings(deps, call, session)));
  return sessions.filter((_, index) => isSignedIn[index]);
}

async function isWithinSettings(deps: SignedInDeps, call: Call, session: Session): Promise<boolean> {
  const authTime = authTimeOf(session);
  if (authTime === undefined) return false;
  const readLifetime = isExternal(session) ? externalLifetime : passwordLifetime;
  const lifetime = await readLifetime(deps, call, session);
  return authTime + lifetime > call.now && isSignedIn(deps, call, session);
}

/** Returns for how many milliseconds a checked password counts in an organization. */
export async function passwordLifetime(
  deps: Pick<SignedInDeps, "settings">,
  call: Call,
  session: Pick<Session, "organizationId" | "userId">,
): Promise<number> {
  const settings = await loginSettingsOf(deps, call, session);
  return lifetimeOf(settings.passwordCheckLifetimeSeconds);
}

/** Returns for how many milliseconds a sign-in at an identity provider counts in an organization. */
export async function externalLifetime(
  deps: Pick<SignedInDeps, "settings">,
  call: Call,
  session: Pick<Session, "organizationId" | "userId">,
): Promise<number> {
  const settings = await loginSettingsOf(deps, call, session);
  return lifetimeOf(settings.externalLoginCheckLifetimeSeconds);
}
