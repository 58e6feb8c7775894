export { addOtp, currentRecipient, type SentFactor } from "./add-otp.ts";
export { challengeOtp } from "./challenge-otp.ts";
export { checkOtp } from "./check-otp.ts";
export { checkRecoveryCode } from "./check-recovery-code.ts";
export { checkTotp } from "./check-totp.ts";
export { confirmOtp, type OtpConfirmation } from "./confirm-otp.ts";
export { demandSignInMethod } from "./demand-sign-in-method.ts";
export {
  deleteFactor,
  deleteFactorRowsOfUsers,
  listFactorsOfUser,
  listReadyFactors,
} from "./factor.store.ts";
export type { CodeFactor, Factor, FactorCheck, FactorKind, FactorUser, KeyFactor } from "./factor.ts";
export type { FactorDeps } from "./factor-deps.ts";
export { findOtpEnrolment, type OtpEnrolment } from "./find-otp-enrolment.ts";
export { generateFirstRecoveryCodes, generateRecoveryCodes, usualCodeCount } from "./generate-recovery-codes.ts";
export { hasSecondFactor, isFactorByItself, isSecondFactor } from "./has-second-factor.ts";
export { importFactors } from "./import-factors.ts";
export { putReadyFactor } from "./put-ready-factor.ts";
export { countRecoveryCodes, deleteRecoveryCodesOfUsers } from "./recovery-code.store.ts";
export { refuseFailedCheck } from "./refuse-check.ts";
export { registerTotp } from "./register-totp.ts";
export { removeFactor } from "./remove-factor.ts";
export { removeLoneRecoveryCodes } from "./remove-lone-recovery-codes.ts";
export { listSingleFactorAdministrators } from "./single-factor-administrator.store.ts";
export { startOtp } from "./start-otp.ts";
export { verifyTotpRegistration } from "./verify-totp-registration.ts";
