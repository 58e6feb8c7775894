import type { Instant } from "../../base/clock.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { type EffectiveSettings, type LoginSettings, loginSettingsOf, type SettingsReader } from "../settings/index.ts";
import { allowedFactors } from "./allowed-factors.ts";
import { authTimeOf, hasFirstFactor, isExternal, isMultiFactor } from "./authentication.ts";
import { freshFactors } from "./fresh-factors.ts";
import type { Factors, Session } from "./session.ts";
import { findSignInDemand, type SignInDemand } from "./sign-in-demand.store.ts";

/** What is needed to decide whether a session is signed in. */
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
  checked: Judged,
  demand: SignInDemand,
): Promise<boolean> {
  const { settings: login, isRaised = false } = await judgingSettingsOf(deps, call, checked);
  const fresh = freshFactors(checked.factors, login, call.now);
  // The organization's pages offered what it allows itself; users who administer the instance need what it allows.
  const factors = isRaised ? allowedFactors(fresh, login) : fresh;
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
  { instanceId }: Call,
  { organizationId, userId }: Pick<Session, "organizationId" | "userId">,
): Promise<EffectiveSettings<LoginSettings>> => settings.get("login", { instanceId, organizationId, userId });

// The login settings may count a passkey as one factor, although it verified the user.
const hasSeveralFactors = ({ multiFactors }: LoginSettings, factors: Factors): boolean =>
  isMultiFactor({
    factors: multiFactors.includes("u2f_with_verification") ? factors : { ...factors, isUserVerified: false },
  });

/** Returns the checks of a session that still count, by the login settings that hold for its user. */
export async function freshFactorsOf(
  deps: Pick<SignedInDeps, "settings">,
  call: Call,
  session: Judged,
): Promise<Factors> {
  const settings = await loginSettingsOf(deps, call, session);
  return freshFactors(session.factors, settings, call.now);
}

/** An authentication: when, and whether an identity provider vouched for it instead of a password or passkey here. */
interface Authentication {
  readonly authTime: Instant;
  readonly isExternal: boolean;
}

// Whether this authentication has to use two factors.
function needsTwoFactors(
  login: LoginSettings,
  { authTime, isExternal: isVouchedFor, hasFirstFactor: hasLocal, secondFactorSince }: SignInDemand & Authentication,
): boolean {
  if (login.forceMfa || (login.forceMfaLocalOnly && !isVouchedFor)) return true;
  return (hasLocal === 1 || isVouchedFor) && secondFactorSince !== null && secondFactorSince <= authTime;
}
