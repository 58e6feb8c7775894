export { type Device, describeDevice } from "./describe-device.ts";
export { getSignInAttempt, listOwnSignInAttempts, listSignInAttempts } from "./list-sign-in-attempts.ts";
export { type RecordDeps, recordFailedSignIn } from "./record-failed-sign-in.ts";
export { recordSignInAttempt, takeFailureRecord } from "./record-sign-in-attempt.ts";
export { deleteSignInAttemptsOfUsers, formerSignInAttempts } from "./sign-in-attempt.store.ts";
export type {
  DecidingSetting,
  SignInAttempt,
  SignInCheck,
  SignInOutcome,
  SignInResult,
  SignInStep,
} from "./sign-in-attempt.ts";
export type { SignInAttemptFilter } from "./sign-in-attempt-list.store.ts";
