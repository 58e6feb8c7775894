import type { Instant } from "../../base/clock.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import type { SettingsReader } from "../settings/index.ts";
import { authTimeOf, isExternal, isMultiFactor } from "./authentication.ts";
import { freshFactors } from "./fresh-factors.ts";
import type { Factors, Session } from "./session.ts";
import { findSignInDemand, type SignInDemand } from "./sign-in-demand.store.ts";

/** What tells who is signed in. */
export interface SignedInDeps {
  readonly database: Database;
  readonly settings: SettingsReader;
}

/**
 * Whether what was checked in a session of somebody who may sign in is enough to be signed in: something besides the name; and two factors, when the settings force them, or
 * when the person had a second one when he was authenticated. One that was added later is asked for at the next authentication. A check counts as
 * long as the login settings say.
 */
export async function isSignedIn(deps: SignedInDeps, call: Call, session: Session): Promise<boolean> {
  const { userId } = session;
  if (userId === undefined || authTimeOf(session) === undefined) return false;
  const demand = await findSignInDemand(deps.database.read, call.instanceId, userId);
  return demand !== undefined && isEnough(deps, call, session, demand);
}

/** The same for who knows what the user has to sign in with. */
export async function isEnough(
  deps: Pick<SignedInDeps, "settings">,
  call: Call,
  checked: Pick<Session, "factors" | "organizationId">,
  demand: SignInDemand,
): Promise<boolean> {
  const session = { ...checked, factors: await freshFactorsOf(deps, call, checked) };
  const authTime = authTimeOf(session);
  if (authTime === undefined) return false;
  return (
    (await hasSeveralFactors(deps, call, session)) ||
    !(await needsTwoFactors(deps, call, session.organizationId, {
      ...demand,
      authTime,
      isExternal: isExternal(session),
    }))
  );
}

/** Whether two factors were checked, as the login settings count: they may have a passkey be one, although its authenticator verified the person. */
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

/** The checks of a session that still count, by the login settings of its organization. */
export async function freshFactorsOf(
  deps: Pick<SignedInDeps, "settings">,
  { instanceId, now }: Call,
  { factors, organizationId }: Pick<Session, "factors" | "organizationId">,
): Promise<Factors> {
  const { settings } = await deps.settings.get("login", { instanceId, organizationId });
  return freshFactors(factors, settings, now);
}

/** An authentication: when, and whether an identity provider vouched for it instead of a password or passkey here. */
export interface Authentication {
  readonly authTime: Instant;
  readonly isExternal?: boolean;
}

/** Whether somebody has to prove himself with two factors, at this authentication. */
export async function needsTwoFactors(
  { settings }: Pick<SignedInDeps, "settings">,
  { instanceId }: Call,
  organizationId: string | undefined,
  { authTime, isExternal: isVouchedFor = false, hasFirstFactor, secondFactorSince }: SignInDemand & Authentication,
): Promise<boolean> {
  const login = (await settings.get("login", { instanceId, organizationId })).settings;
  if (login.forceMfa || (login.forceMfaLocalOnly && !isVouchedFor)) return true;
  return (hasFirstFactor === 1 || isVouchedFor) && secondFactorSince !== null && secondFactorSince <= authTime;
}
