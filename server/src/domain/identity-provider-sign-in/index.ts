export { acceptInvitationExternally } from "./accept-invitation-externally.ts";
export { confirmNewcomer } from "./confirm-newcomer.ts";
export type { ExternalAttempt } from "./external-attempt.ts";
export { findProofOfUser, linkExternally } from "./link-externally.ts";
export { linkOwnAccount } from "./link-own-account.ts";
export { recordRefusal } from "./record-refusal.ts";
export { offerChoices, registerExternally } from "./register-externally.ts";
export { signInExternally } from "./sign-in-externally.ts";
