import { Fault } from "../../base/fault.ts";
import type { IdGenerator } from "../../base/id.ts";
import type { Vault } from "../../base/vault.ts";
import {
  type Call,
  isLoginClient,
  namedBrowserOf,
  preparationsBy,
  requireCaller,
  withUserAddress,
} from "../../call/index.ts";
import { mayPrepareFor, mayVouchFor } from "../administrator-access/index.ts";
import { checkOtp, checkRecoveryCode, checkTotp, refuseFailedCheck, type SentFactor } from "../factor/index.ts";
import { checkIntent, type PresentedIntent } from "../identity-provider-intent/index.ts";
import { findUserByLoginName } from "../login-name/index.ts";
import { type CheckPasswordDeps, checkPassword, passwordThrottled } from "../password/index.ts";
import { findUserScope } from "../user/index.ts";
import { type CheckKeyDeps, checkKey, refuseFailedKey, type UntrustedCredential } from "../webauthn-key/index.ts";
import { hasFirstFactor } from "./authentication.ts";
import { requireWriterFor } from "./authorize-session.ts";
import { findSessionOfUserAt } from "./browser-session.store.ts";
import { preparationsOfIntent } from "./preparations.ts";
import { recordFailedCheck } from "./record-checks.ts";
import type { Factors, FurtherFactors, SessionUser, UserAgent } from "./session.ts";

export interface CheckFactorsDeps extends CheckPasswordDeps, CheckKeyDeps {
  readonly vault: Pick<Vault, "encrypt" | "decrypt">;
  readonly newId: IdGenerator;
}

/** What is to be checked. Every given check must pass. */
export interface FactorChecks {
  readonly user?: { readonly userId: string } | { readonly loginName: string };
  readonly password?: string;
  /** What `navigator.credentials.get()` returned. */
  readonly webAuthN?: UntrustedCredential;
  /** A sign-in at an identity provider. */
  readonly idpIntent?: PresentedIntent;
  readonly totp?: string;
  readonly otpSms?: string;
  readonly otpEmail?: string;
  readonly recoveryCode?: string;
}

/** The session that the factors are checked for. */
export interface CheckedSession {
  /** Undefined while it does not exist. */
  readonly sessionId: string | undefined;
  readonly user: SessionUser | undefined;
  /** What was checked in it before. */
  readonly factors: Factors;
  /** What its creator said of the user's browser. */
  readonly userAgent: UserAgent;
}

/**
 * What was checked, with the instant of the call, or of the provider's answer; the user is the one of the session from
 * now on.
 */
export interface CheckedFactors {
  readonly user: SessionUser | undefined;
  readonly factors: Factors;
  /** The sign-in epoch of the user from before the checks; undefined where nothing but the name was checked. */
  readonly signInEpoch: number | undefined;
}

/**
 * Checks factors, the user first, then the others in their order; the first failure is the refusal. Runs outside of any
 * unit of work: a password hash takes long, and a failure is counted even though nothing else happens. Refuses callers
 * who may not write sessions of the user before anything is proven for them.
 */
export async function checkFactors(
  deps: CheckFactorsDeps,
  call: Call,
  checks: FactorChecks,
  session: CheckedSession,
): Promise<CheckedFactors> {
  const of = session.user;
  const named = checks.user && (await findActiveUser(deps, call, checks.user));
  if (named !== undefined && of !== undefined && named.userId !== of.userId) throw userChange();
  const user = named ?? of;
  requireWriterFor(call, user);
  const userCheckedAt = named === undefined ? {} : { userCheckedAt: call.now };
  const sessionUser = user && { userId: user.userId, organizationId: user.organizationId };
  const { user: _, ...proofs } = checks;
  if (Object.keys(proofs).length === 0) return { user: sessionUser, factors: userCheckedAt, signInEpoch: undefined };
  if (sessionUser === undefined) {
    throw new Fault("failed_precondition", "session.user_missing", { field: "checks.user" });
  }
  const { signInEpoch } = named ?? (await findActiveUser(deps, call, sessionUser));
  const asked = withUserAddress(call, session.userAgent.ip);
  const { sessionId } = session;
  try {
    const proven = await prove(deps, asked, { session, user: sessionUser, sessionId, checks });
    return { user: sessionUser, factors: { ...userCheckedAt, ...proven }, signInEpoch };
  } catch (error) {
    await recordFailedCheck(deps, call, error, { sessionId, user: sessionUser, userAgent: session.userAgent });
    throw error;
  }
}

/** The user of a session never changes: its checks were checks of this user. */
export const userChange = (): Fault => new Fault("invalid_argument", "session.user_change", { field: "checks.user" });

interface Proof {
  readonly session: CheckedSession;
  readonly user: SessionUser;
  readonly sessionId: string | undefined;
  readonly checks: FactorChecks;
}

async function prove(deps: CheckFactorsDeps, call: Call, proof: Proof): Promise<Factors> {
  const { user, checks } = proof;
  const { password, webAuthN, idpIntent, totp, otpSms, otpEmail, recoveryCode } = checks;
  const now = call.now;
  const byPassword = password === undefined ? {} : await provePassword(deps, call, proof, password);
  const key =
    webAuthN === undefined ? {} : await proveKey(deps, call, proof, { credential: webAuthN, before: byPassword });
  const of = { ...deps, mayPrepareFor, mayVouchFor };
  const used =
    idpIntent === undefined
      ? undefined
      : await checkIntent(of, call, { user, intent: idpIntent }, "checks.idpIntent.idpIntentToken");
  if ([totp, otpSms, otpEmail, recoveryCode].some((code) => code !== undefined)) {
    const first = { ...byPassword, ...key, ...(used !== undefined && { intentCheckedAt: used.answeredAt }) };
    requireFirstFactor(call, [proof.session.factors, first]);
  }
  if (totp !== undefined) refuseFailedCheck(await checkTotp(deps, call, { user, code: totp }), "checks.totp.code");
  if (otpSms !== undefined) await proveOtp(deps, call, proof, { kind: "otp_sms", code: otpSms, name: "otpSms" });
  if (otpEmail !== undefined) {
    await proveOtp(deps, call, proof, { kind: "otp_email", code: otpEmail, name: "otpEmail" });
  }
  if (recoveryCode !== undefined) {
    refuseFailedCheck(await checkRecoveryCode(deps, call, { user, code: recoveryCode }), "checks.recoveryCode.code");
  }
  return {
    ...byPassword,
    ...key,
    ...(used !== undefined && {
      intentCheckedAt: used.answeredAt,
      intentId: used.intentId,
      identityProviderId: used.provider.identityProviderId,
    }),
    ...(totp !== undefined && { totpCheckedAt: now }),
    ...(otpSms !== undefined && { otpSmsCheckedAt: now }),
    ...(otpEmail !== undefined && { otpEmailCheckedAt: now }),
    ...(recoveryCode !== undefined && { recoveryCodeCheckedAt: now }),
    preparedBy: [
      ...(byPassword.preparedBy ?? []),
      ...(key.preparedBy ?? []),
      ...(used ? preparationsOfIntent(used) : []),
    ],
  };
}

// Wrong codes block a factor until an administrator unblocks it. A sign-in application passes on what strangers enter,
// so those who have proven nothing of the user are not heard: knowing a name is enough for them to lock its user out.
function requireFirstFactor(call: Call, checked: readonly Factors[]): void {
  if (!isLoginClient(requireCaller(call).access) || checked.some((factors) => hasFirstFactor({ factors }))) return;
  throw new Fault("failed_precondition", "session.first_factor_missing", { field: "checks" });
}

async function proveKey(
  deps: CheckFactorsDeps,
  call: Call,
  { user, sessionId, session, checks }: Proof,
  { credential, before }: { readonly credential: UntrustedCredential; readonly before: Factors },
): Promise<FurtherFactors> {
  const field = "checks.webAuthN.credentialAssertionData";
  const check = sessionId === undefined ? unchallenged : await checkKey(deps, call, { user, sessionId, credential });
  const { isUserVerified, isOneFactor, isSuspended, author } = refuseFailedKey(check, field);
  if (isSuspended) {
    // Beside another first factor it is still a key that only its holder has.
    const isSecond = [session.factors, before].some((factors) => hasFirstFactor({ factors }));
    if (!isSecond && checks.idpIntent === undefined) throw suspended(field);
    return { webAuthNCheckedAt: call.now, isUserVerified, isOneFactor };
  }
  return { webAuthNCheckedAt: call.now, isUserVerified, isOneFactor, preparedBy: preparationsBy(author) };
}

// Codes and challenges are made for a session, so none exists for a session that is only being created.
const unchallenged = { outcome: "unchallenged" } as const;

async function proveOtp(
  deps: CheckFactorsDeps,
  call: Call,
  { user, sessionId }: Proof,
  { kind, code, name }: { readonly kind: SentFactor; readonly code: string; readonly name: string },
): Promise<void> {
  const check = sessionId === undefined ? unchallenged : await checkOtp(deps, call, { user, kind, sessionId, code });
  refuseFailedCheck(check, `checks.${name}.code`);
}

async function findActiveUser(
  deps: CheckPasswordDeps,
  call: Call,
  search: NonNullable<FactorChecks["user"]>,
): Promise<SessionUser & { readonly signInEpoch: number }> {
  const { read } = deps.database;
  const found =
    "userId" in search
      ? await findUserScope(read, call.instanceId, search.userId)
      : await findUserByLoginName(read, call.instanceId, search.loginName);
  if (found === undefined) throw userNotFound();
  if (found.state !== "active" || found.organizationState !== "active") throw notActive();
  return { userId: found.userId, organizationId: found.organizationId, signInEpoch: found.signInEpoch };
}

async function provePassword(
  deps: CheckPasswordDeps,
  call: Call,
  { user: { userId }, session }: Proof,
  password: string,
): Promise<Factors> {
  const field = "checks.password.password";
  const knownBy = await findKnownBrowser(deps, call, userId, session.userAgent);
  const check = await checkPassword(deps, call, { userId, password, knownBy, field });
  switch (check.outcome) {
    case "correct":
      return { passwordCheckedAt: call.now, preparedBy: preparationsBy(check.author) };
    case "suspended":
      throw suspended(field);
    case "wrong": {
      const { failedAttempts } = check;
      throw new Fault("invalid_argument", "user.password_wrong", { field, values: { failedAttempts } });
    }
    case "blocked":
      throw new Fault("failed_precondition", "user.password_blocked", { field });
    case "resting":
      throw passwordThrottled(check.seconds);
    case "impossible":
      if (check.reason === "unknown") throw userNotFound();
      if (check.reason === "not_active") throw notActive();
      throw new Fault("failed_precondition", "user.password_absent", { field });
    default:
      return check satisfies never;
  }
}

// A sign-in application tells browsers apart, as our pages do; strangers do not slow down those that the user knows.
async function findKnownBrowser(
  { database }: CheckPasswordDeps,
  call: Call,
  userId: string,
  { fingerprintId }: UserAgent,
): Promise<string | undefined> {
  const browser = namedBrowserOf(call, fingerprintId);
  return browser && findSessionOfUserAt(database.read, call.instanceId, { userId, ...browser });
}

const suspended = (field: string): Fault => new Fault("failed_precondition", "user.credential_suspended", { field });
const userNotFound = (): Fault => new Fault("not_found", "user.not_found", { field: "checks.user" });
const notActive = (): Fault => new Fault("failed_precondition", "user.not_active", { field: "checks.user" });
