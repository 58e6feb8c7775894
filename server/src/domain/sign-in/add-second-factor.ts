import { Fault } from "../../base/fault.ts";
import type { Secret } from "../../base/secret.ts";
import { asPerson, type Call } from "../../call/index.ts";
import type { Reader } from "../../database/index.ts";
import { type FactorDeps, generateFirstRecoveryCodes, registerTotp, verifyTotpRegistration } from "../factor/index.ts";
import {
  type EstablishedSignIn,
  type Factors,
  hasCountingFirstFactor,
  isStillGoodSignIn,
  withoutLostWord,
} from "../session/index.ts";
import { findUser, findUserScope, skipSecondFactor } from "../user/index.ts";
import { registerKey, type UntrustedCredential, verifyKeyRegistration } from "../webauthn-key/index.ts";
import type { BrowserVisit, SignInDeps } from "./browser-visit.ts";
import { findMissingContext, leadingTo } from "./missing-context.ts";
import { proceedWithSetUp } from "./proceed-with-set-up.ts";
import { listSecondFactorsAt, type SecondFactorKind } from "./second-factors.ts";
import { endedProblem, epochOf, type SignIn } from "./state.ts";
import { type StepOutcome, stay } from "./step-outcome.ts";

export type AddSecondFactorDeps = SignInDeps & FactorDeps;

/** Second factors that a user can add during a sign-in attempt, strongest first. */
export type AddableFactor = Exclude<SecondFactorKind, "recovery_codes">;

/**
 * Lists the second factors that the user can add now: those that the settings allow and that need nothing the user
 * lacks.
 */
export async function listAddableFactors(
  deps: SignInDeps,
  call: Call,
  visit: BrowserVisit,
  signIn: SignIn,
): Promise<AddableFactor[]> {
  const user =
    signIn.userId === undefined ? undefined : await findUser(deps.database.read, call.instanceId, signIn.userId);
  if (user?.kind !== "human") return [];
  const { allowed, hasAny } = await listSecondFactorsAt(deps, call, { ...user, host: visit.host });
  // A user who got a second factor meanwhile, in another tab or from an administrator, is asked for that one.
  if (hasAny) return [];
  const missing = await findMissingContext(deps, call, visit, { ...user, factors: signIn.factors });
  const has = { otp_email: user.email.isVerified, otp_sms: user.phone?.isVerified === true };
  return leadingTo(missing?.isEssential === true ? missing.level : 0, allowed).filter(
    (kind): kind is AddableFactor =>
      kind !== "recovery_codes" && ((kind !== "otp_email" && kind !== "otp_sms") || has[kind]),
  );
}

/** What a user needs to complete a factor: the secret for an app, or what the browser is to ask a security key for. */
export type StartedFactor =
  | { readonly kind: "totp"; readonly secret: string; readonly uri: string }
  | { readonly kind: "key"; readonly credentialId: string; readonly options: string };

/** Begins the setup of an app or a security key, which proves nothing before it was seen to work. */
export async function startSecondFactor(
  deps: AddSecondFactorDeps,
  call: Call,
  visit: BrowserVisit,
  { signIn, kind }: { readonly signIn: SignIn; readonly kind: StartedFactor["kind"] },
): Promise<StartedFactor> {
  const { own, person } = await toPerson(deps, call, visit, { signIn, kind });
  const { userId } = person.caller;
  if (kind === "totp") {
    const { secret, uri } = await registerTotp(own, person, { userId });
    return { kind, secret: secret.reveal(), uri: uri.reveal() };
  }
  const { credentialId, options } = await registerKey(own, person, { userId, kind: "u2f", domain: visit.host });
  return { kind, credentialId, options: JSON.stringify(options) };
}

/** Proof that a factor works; for codes that are sent see `confirmFirstCode`. */
export type NewFactor =
  | { readonly kind: "totp"; readonly code: string }
  | {
      readonly kind: "key";
      readonly credentialId: string;
      readonly credential: UntrustedCredential;
      readonly name: string;
    };

/** What follows a new second factor, and the recovery codes that came with it; undefined for none. */
export interface FactorAdded {
  readonly outcome: StepOutcome;
  readonly recoveryCodes: readonly Secret[] | undefined;
}

/** Adds a second factor and continues with it. Throws the Faults of the factor when it does not work. */
export async function addSecondFactor(
  deps: AddSecondFactorDeps,
  call: Call,
  visit: BrowserVisit,
  { signIn, factor }: { readonly signIn: SignIn; readonly factor: NewFactor },
): Promise<FactorAdded> {
  const { own, person } = await toPerson(deps, call, visit, { signIn, kind: factor.kind });
  const checked = await add(own, person, factor);
  const recoveryCodes = await makeRecoveryCodes(own, person, visit);
  return {
    outcome: await proceedWithSetUp(deps, call, visit, { signIn, user: person.caller, checked }),
    recoveryCodes,
  };
}

/** Makes the recovery codes of a user who has just added the first second factor, where the settings allow them. */
export async function makeRecoveryCodes(
  deps: AddSecondFactorDeps,
  call: Person,
  { host }: BrowserVisit,
): Promise<readonly Secret[] | undefined> {
  const { userId, organizationId } = call.caller;
  const { allowed } = await listSecondFactorsAt(deps, call, { userId, organizationId, host });
  return allowed.includes("recovery_codes") ? generateFirstRecoveryCodes(deps, call, { userId }) : undefined;
}

async function add(deps: AddSecondFactorDeps, call: Person, factor: NewFactor): Promise<Factors> {
  const { userId } = call.caller;
  switch (factor.kind) {
    case "totp":
      await verifyTotpRegistration(deps, call, { userId, code: factor.code });
      return { totpCheckedAt: call.now };
    case "key": {
      const { credentialId, credential, name } = factor;
      await verifyKeyRegistration(deps, call, { userId, credentialId, kind: "u2f", credential, name });
      return { webAuthNCheckedAt: call.now, isUserVerified: false, isOneFactor: false };
    }
    default:
      return factor satisfies never;
  }
}

/** Postpones an offered factor, for as long as the settings say. */
export async function skipOfferedFactor(
  deps: AddSecondFactorDeps,
  call: Call,
  visit: BrowserVisit,
  signIn: SignIn,
): Promise<StepOutcome> {
  const user =
    signIn.userId === undefined ? undefined : await findUserScope(deps.database.read, call.instanceId, signIn.userId);
  if (user === undefined) return stay(deps, call, visit, { signIn, problem: { id: "sign_in.not_possible" } });
  await skipSecondFactor(deps, asPerson(call, user), { userId: user.userId });
  return proceedWithSetUp(deps, call, visit, { signIn, user });
}

type Person = ReturnType<typeof asPerson>;

/** A user who acts on their own account, without any permission: what was proven in the attempt is the proof. */
interface ActingPerson {
  readonly person: Person;
  /** Weigh the attempt in the unit of work that changes the account, with the user locked. */
  readonly own: AddSecondFactorDeps;
}

/**
 * Returns the user of an attempt as one who acts on their own account. Throws when the user cannot add the factor, and
 * when the attempt would be refused a session: `sign_in.ended`.
 */
export async function toPerson(
  deps: AddSecondFactorDeps,
  call: Call,
  visit: BrowserVisit,
  { signIn, kind }: { readonly signIn: SignIn; readonly kind: AddableFactor },
): Promise<ActingPerson> {
  const user =
    signIn.userId === undefined ? undefined : await findUserScope(deps.database.read, call.instanceId, signIn.userId);
  if (user?.state !== "active" || user.organizationState !== "active") {
    throw new Fault("failed_precondition", "sign_in.not_possible");
  }
  const addable = await listAddableFactors(deps, call, visit, signIn);
  if (!addable.includes(kind)) throw new Fault("failed_precondition", "sign_in.factor_not_addable");
  const { userId, organizationId } = user;
  const { read } = deps.database;
  const factors = await withoutLostWord(read, call.instanceId, { userId, organizationId, factors: signIn.factors });
  const established = { userId, organizationId, factors, signInEpoch: epochOf(signIn) };
  const own = { ...deps, isFresh: (reader: Reader) => demandGood(reader, deps, call, established) };
  return { person: asPerson(call, user, factors.preparedBy, false), own };
}

// A factor that a session could not be opened with would stay, and keep the user out of their own account.
async function demandGood(
  reader: Reader,
  { settings }: Pick<SignInDeps, "settings">,
  call: Call,
  signIn: EstablishedSignIn,
): Promise<boolean> {
  const isGood =
    (await isStillGoodSignIn(reader, call, signIn)) &&
    (await hasCountingFirstFactor({ database: { read: reader }, settings }, call, signIn));
  if (!isGood) throw new Fault("failed_precondition", endedProblem.id);
  return true;
}
