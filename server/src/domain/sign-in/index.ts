export {
  type AddableFactor,
  addSecondFactor,
  type FactorAdded,
  listAddableFactors,
  type NewFactor,
  skipOfferedFactor,
  startSecondFactor,
} from "./add-second-factor.ts";
export {
  type BrowserVisit,
  endOf,
  isOrganizationUnproven,
  keyOf,
  organizationOf,
  organizationOfLinks,
  organizationOfNewcomers,
  type SignInDeps,
} from "./browser-visit.ts";
export { challengeKeys } from "./challenge-keys.ts";
export { confirmFirstCode } from "./confirm-first-code.ts";
export { decideNext } from "./decide-next.ts";
export { describeVisit } from "./describe-visit.ts";
export { enterName } from "./enter-name.ts";
export { enterPassword } from "./enter-password.ts";
export { findAttempt } from "./find-attempt.ts";
export { findResubmission } from "./find-resubmission.ts";
export { findScopeOfName } from "./find-scope-of-name.ts";
export { checkResetCode, forgetPassword, isResetOffered } from "./forget-password.ts";
export { hasSecondFactor } from "./has-second-factor.ts";
export { isHinted } from "./hinted-name.ts";
export { listEligibleAccounts } from "./list-eligible-accounts.ts";
export { findMissingContext, isContextOutOfReach, leadingTo, listStepUpSessions } from "./missing-context.ts";
export { passSetUp } from "./pass-set-up.ts";
export { advance, describeAdvance, prepareAdvance, proceed } from "./proceed.ts";
export { proveSecondFactor } from "./prove-second-factor.ts";
export { readDiscovery, readName } from "./read-name.ts";
export { replacePassword } from "./replace-password.ts";
export { listSecondFactorsAt, type SecondFactorKind, secondFactorKinds } from "./second-factors.ts";
export { findResendPause, resendInterval, sendSecondFactorCode } from "./send-code.ts";
export { sendFirstCode } from "./send-first-code.ts";
export { deleteSignIn, deleteSignInsOfUsers, expiredSignIns, findSignIn, putSignIn } from "./sign-in.store.ts";
export {
  type CurrentSignIn,
  ended,
  endedProblem,
  isPossible,
  isProvenState,
  type Problem,
  type SignIn,
  type SignInAction,
  type SignInState,
  signInStates,
  unnamed,
} from "./state.ts";
export { type StepOutcome, stay } from "./step-outcome.ts";
export { beginStepUp } from "./step-up.ts";
export { usePasskey } from "./use-passkey.ts";
export { chooseSession, continueSession, listFittingSessions, removeSession } from "./use-session.ts";
