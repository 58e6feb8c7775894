import type { Instant } from "../../base/clock.ts";
import type { Call } from "../../call/index.ts";
import type { Database, Reader } from "../../database/index.ts";
import {
  administersInstance,
  type EffectiveSettings,
  type LoginSettings,
  loginSettingsOf,
  type SettingsReader,
  type SettingsScope,
  settingsReaderOf,
} from "../settings/index.ts";
import { allowedFactors, factorsOfAllowedKinds } from "./allowed-factors.ts";
import { authTimeOf, hasFirstFactor, isExternal, isMultiFactor } from "./authentication.ts";
import { freshFactors } from "./fresh-factors.ts";
import { provenFactors } from "./proven-factors.ts";
import type { Factors, Session } from "./session.ts";
import { findDemandInAnyState, findSignInDemand, type SignInDemand } from "./sign-in-demand.store.ts";

/** What is needed to decide whether a session is signed in. */
export interface SignedInDeps {
  readonly database: Database;
  readonly settings: SettingsReader;
}

/** What it takes to tell what counts of a session. */
export interface CountingDeps {
  readonly database: Pick<Database, "read">;
  readonly settings: SettingsReader;
}

/**
 * Returns whether the checks of a session are enough to be signed in, for a user who may sign in. They must include a
 * first factor; and two factors when the settings force them, or when the user had a second factor at the
 * authentication, also one that was removed since. A factor added later is asked for at the next authentication. A
 * check counts as long as the login settings say.
 */
export async function isSignedIn(deps: SignedInDeps, call: Call, session: Session): Promise<boolean> {
  const { userId } = session;
  if (userId === undefined || authTimeOf(session) === undefined) return false;
  const demand = await findSignInDemand(deps.database.read, call.instanceId, userId);
  return demand !== undefined && isEnough(deps, call, session, demand);
}

/** Does the same for callers that know what the user has to sign in with. */
export async function isEnough(
  deps: CountingDeps,
  call: Call,
  checked: Judged,
  demand: SignInDemand,
): Promise<boolean> {
  const { login, factors } = await judge(deps, call, checked);
  return suffices(factors, demand, login);
}

/** Returns whether what was checked has a first factor that still counts, for a user as they are now. */
export async function hasCountingFirstFactor(deps: CountingDeps, call: Call, checked: Judged): Promise<boolean> {
  return hasFirstFactor(await judge(deps, call, checked));
}

// What counts of a sign-in, with the login settings that say so. The pages offered what the organization allows; users
// who administer the instance need what the instance allows.
async function judge(
  deps: CountingDeps,
  call: Call,
  checked: Judged,
): Promise<{ readonly login: LoginSettings; readonly factors: Factors }> {
  const { read } = deps.database;
  const { settings: login, isRaised = false } = await judgingSettingsOf(deps, call, checked);
  const fresh = freshFactors(await provenFactors(read, call.instanceId, checked), login, call.now);
  const factors = isRaised ? await allowedFactors(read, scopeOf(call, checked), fresh, login) : fresh;
  return { login, factors };
}

/**
 * Returns whether what was checked in a session, however long ago, lets an administrator of the instance in, if its
 * user is one, by the settings that the instance has now. Which settings the session was opened by is not known: the
 * organization could have had weaker ones and given them up, and it, or the user, could be deactivated at the moment.
 * True in the strict profile, where each request is held to the sign-in behind it.
 */
export async function isEnoughForRoles(reader: Reader, call: Call, session: Session): Promise<boolean> {
  const { userId } = session;
  if (reader.isStrict === true || userId === undefined || authTimeOf(session) === undefined) return true;
  if (!(await administersInstance(reader, call.instanceId, userId))) return true;
  const { settings: login } = await judgingSettingsOf({ settings: settingsReaderOf(reader) }, call, session);
  const demand = await findDemandInAnyState(reader, call.instanceId, userId);
  if (demand === undefined) return false;
  return suffices(await allowedFactors(reader, scopeOf(call, session), session.factors, login), demand, login);
}

/**
 * Returns whether checks would sign a user in, if they were made now and only what these login settings allow counted.
 * For administrators who must not be locked out.
 */
export const wouldSuffice = (checks: Factors, demand: SignInDemand, login: LoginSettings): boolean =>
  suffices(factorsOfAllowedKinds(checks, login), demand, login);

function suffices(factors: Factors, demand: SignInDemand, login: LoginSettings): boolean {
  const authTime = authTimeOf({ factors });
  if (authTime === undefined || !hasFirstFactor({ factors })) return false;
  return (
    hasSeveralFactors(login, factors) ||
    !needsTwoFactors(login, { ...demand, authTime, isExternal: isExternal({ factors }) })
  );
}

/** What is known of a sign-in: the user, and what was checked. */
type Judged = Pick<Session, "factors" | "organizationId" | "userId">;

// The login settings as they hold for the user of a session, with whether those of the instance raised them.
const judgingSettingsOf = (
  { settings }: Pick<SignedInDeps, "settings">,
  call: Call,
  judged: Pick<Session, "organizationId" | "userId">,
): Promise<EffectiveSettings<LoginSettings>> => settings.get("login", scopeOf(call, judged));

const scopeOf = (
  { instanceId }: Call,
  { organizationId, userId }: Pick<Session, "organizationId" | "userId">,
): SettingsScope => ({ instanceId, organizationId, userId });

// The login settings may count a passkey as one factor, although it verified the user.
const hasSeveralFactors = ({ multiFactors }: LoginSettings, factors: Factors): boolean =>
  isMultiFactor({
    factors: multiFactors.includes("u2f_with_verification") ? factors : { ...factors, isUserVerified: false },
  });

/** Returns the checks of a session that still count, by the login settings and the roles that its user has now. */
export async function freshFactorsOf(deps: CountingDeps, call: Call, session: Judged): Promise<Factors> {
  const settings = await loginSettingsOf(deps, call, session);
  const proven = await provenFactors(deps.database.read, call.instanceId, session);
  return freshFactors(proven, settings, call.now);
}

/** An authentication: when, and whether an identity provider vouched for it instead of a password or passkey here. */
interface Authentication {
  readonly authTime: Instant;
  readonly isExternal: boolean;
}

// Whether this authentication has to use two factors.
function needsTwoFactors(login: LoginSettings, demand: SignInDemand & Authentication): boolean {
  const { isExternal: isVouchedFor, hasFirstFactor: hasLocal } = demand;
  if (login.forceMfa || (login.forceMfaLocalOnly && !isVouchedFor)) return true;
  return (hasLocal === 1 || isVouchedFor) && hadSecondFactor(demand);
}

// Whether the user had a second factor at the authentication. Which ones there are now does not tell: the user may have
// replaced the only one meanwhile, and a stolen password alone would then have been enough.
function hadSecondFactor({ authTime, ...demand }: SignInDemand & Authentication): boolean {
  const { secondFactorSince, formerSecondFactorSince, formerSecondFactorUntil } = demand;
  if (secondFactorSince !== null && secondFactorSince <= authTime) return true;
  if (formerSecondFactorSince === null || formerSecondFactorUntil === null) return false;
  return formerSecondFactorSince <= authTime && authTime < formerSecondFactorUntil;
}
