export { type BeginDeps, beginAccount } from "./begin-account.ts";
export { checkCode } from "./check-code.ts";
export {
  authorOfCode,
  authorOfRedeemed,
  isGoodCode,
  isOpenedByMessage,
  linkOfFormerCode,
  senderOfCode,
  senderOfFormerCode,
} from "./code-author.ts";
export { isCodeOfAttempt, putNoCodeOfAttempt } from "./code-of-attempt.ts";
export { codePause, findCodePause } from "./code-pause.ts";
export { findContactOrigins } from "./contact-origin.store.ts";
export { createDomainClaims } from "./create-domain-claims.ts";
export type { ClaimDeps } from "./finish-claim.ts";
export { finishClaims } from "./finish-claims.ts";
export { type ContactProofDeps, isGoodProof } from "./is-good-proof.ts";
export { type CodeDelivery, type CodeDeps, issueCode, languageOf } from "./issue-code.ts";
export { chooseMessageLink } from "./message-link.ts";
export { findOpeningRecipient, type OpeningDeps, provenRecipientOf, recipientOf } from "./opening-recipient.ts";
export { authorOfAddress, hasGoodRecipient } from "./recipient-author.ts";
export { codeInvalid, mayRedeem, redeemCode } from "./redeem-code.ts";
export { requestContactCode } from "./request-contact-code.ts";
export { resendPhoneCode } from "./resend-phone-code.ts";
export { sendEmailCode } from "./send-email-code.ts";
export { applyEmail, type ContactChange, setEmail } from "./set-email.ts";
export { applyPhone, clearPhone, removePhone, setPhone } from "./set-phone.ts";
export { authorizeVerification, type Verification } from "./verification.ts";
export { verifyEmail } from "./verify-email.ts";
export { verifyPhone } from "./verify-phone.ts";
export { widenEmailProof } from "./widen-email-proof.ts";
