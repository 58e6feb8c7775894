export { addPassword } from "./add-password.ts";
export {
  type CheckPassword,
  type CheckPasswordDeps,
  checkPassword,
  type PasswordCheckOutcome,
} from "./check-password.ts";
export { findPasswordAuthor } from "./find-password-author.ts";
export { findPasswordChange } from "./find-password-change.ts";
export { passwordThrottled } from "./guess-throttle.ts";
export { isPasswordEnding } from "./is-password-ending.ts";
export { payForHash } from "./pay-for-hash.ts";
export {
  checkPasswordFor,
  isHashSupported,
  type NewPassword,
  type PasswordDeps,
  type PasswordOwner,
  type PreparedPassword,
  prepareHashedPasswords,
  preparePassword,
} from "./prepare-password.ts";
export { requestPasswordReset, resetPause, sendPasswordReset } from "./request-password-reset.ts";
export { setFirstPassword } from "./set-first-password.ts";
export { applyPassword, type PasswordProof, provePassword, type SetPasswordDeps, setPassword } from "./set-password.ts";
export { timeRefusal } from "./time-refusal.ts";
