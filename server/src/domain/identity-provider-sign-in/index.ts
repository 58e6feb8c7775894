export type { ExternalAttempt, ExternalChoices } from "./external-attempt.ts";
export { findProofOfUser, type LinkOutcome, linkExternally } from "./link-externally.ts";
export type { Newcomer } from "./newcomer.ts";
export { type ExternalOffer, offerChoices, registerExternally } from "./register-externally.ts";
export { type ExternalOutcome, signInExternally } from "./sign-in-externally.ts";
