export { type AcceptExternally, acceptInvitationExternally } from "./accept-invitation-externally.ts";
export { confirmNewcomer } from "./confirm-newcomer.ts";
export type { ExternalAttempt, ExternalChoices } from "./external-attempt.ts";
export { findProofOfUser, type LinkOutcome, linkExternally } from "./link-externally.ts";
export { linkOwnAccount } from "./link-own-account.ts";
export type { Newcomer } from "./newcomer.ts";
export { type ExternalOffer, offerChoices, registerExternally } from "./register-externally.ts";
export { type ExternalOutcome, signInExternally } from "./sign-in-externally.ts";
