import type { Instant } from "../../base/clock.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import type { SettingsReader } from "../settings/index.ts";
import { authTimeOf, hasFirstFactor, isExternal, isMultiFactor } from "./authentication.ts";
import { freshFactors } from "./fresh-factors.ts";
import type { Factors, Session } from "./session.ts";
import { findSignInDemand, type SignInDemand } from "./sign-in-demand.store.ts";

/** What it takes to tell whether a session is signed in. */
export interface SignedInDeps {
  readonly database: Database;
  readonly settings: SettingsReader;
}

/**
 * Returns whether the checks of a session are enough to be signed in, for a user who may sign in. They must include a
 * first factor; and two factors when the settings force them, or when the user had a second factor at the
 * authentication. A factor added later is asked for at the next authentication. A check counts as long as the login
 * settings say.
 */
export async function isSignedIn(deps: SignedInDeps, call: Call, session: Session): Promise<boolean> {
  const { userId } = session;
  if (userId === undefined || authTimeOf(session) === undefined) return false;
  const demand = await findSignInDemand(deps.database.read, call.instanceId, userId);
  return demand !== undefined && isEnough(deps, call, session, demand);
}

/** Does the same for callers that know what the user has to sign in with. */
export async function isEnough(
  deps: Pick<SignedInDeps, "settings">,
  call: Call,
  checked: Pick<Session, "factors" | "organizationId">,
  demand: SignInDemand,
): Promise<boolean> {
  const session = { ...checked, factors: await freshFactorsOf(deps, call, checked) };
  const authTime = authTimeOf(session);
  if (authTime === undefined || !hasFirstFactor(session)) return false;
  return (
    (await hasSeveralFactors(deps, call, session)) ||
    !(await needsTwoFactors(deps, call, session.organizationId, {
      ...demand,
      authTime,
      isExternal: isExternal(session),
    }))
  );
}

/**
 * Returns whether two factors were checked. The login settings may count a passkey as one, although it verified the
 * user.
 */
async function hasSeveralFactors(
  deps: Pick<SignedInDeps, "settings">,
  { instanceId }: Call,
  { factors, organizationId }: Pick<Session, "factors" | "organizationId">,
): Promise<boolean> {
  const { multiFactors } = (await deps.settings.get("login", { instanceId, organizationId })).settings;
  return isMultiFactor({
    factors: multiFactors.includes("u2f_with_verification") ? factors : { ...factors, isUserVerified: false },
  });
}

/** Returns the checks of a session that still count, by the login settings of its organization. */
export async function freshFactorsOf(
  deps: Pick<SignedInDeps, "settings">,
  { instanceId, now }: Call,
  { factors, organizationId }: Pick<Session, "factors" | "organizationId">,
): Promise<Factors> {
  const { settings } = await deps.settings.get("login", { instanceId, organizationId });
  return freshFactors(factors, settings, now);
}

/** An authentication: when, and whether an identity provider vouched for it instead of a password or passkey here. */
interface Authentication {
  readonly authTime: Instant;
  readonly isExternal?: boolean;
}

/** Returns whether this authentication has to use two factors. */
async function needsTwoFactors(
  { settings }: Pick<SignedInDeps, "settings">,
  { instanceId }: Call,
  organizationId: string | undefined,
  { authTime, isExternal: isVouchedFor = false, hasFirstFactor, secondFactorSince }: SignInDemand & Authentication,
): Promise<boolean> {
  const login = (await settings.get("login", { instanceId, organizationId })).settings;
  if (login.forceMfa || (login.forceMfaLocalOnly && !isVouchedFor)) return true;
  return (hasFirstFactor === 1 || isVouchedFor) && secondFactorSince !== null && secondFactorSince <= authTime;
}
