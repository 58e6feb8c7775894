export { acceptInvitationWithPasskey, startInvitationPasskey } from "./accept-invitation-with-passkey.ts";
export { challengeAnyPasskey, challengeKey, type RequestOptions, type UserVerification } from "./challenge-key.ts";
export { type CheckKeyDeps, checkKey } from "./check-key.ts";
export { type CreatePasskeyLink, createPasskeyLink, issuePasskeyCode, toPasskeyLink } from "./create-passkey-link.ts";
export { type InsertPasskey, insertPasskey } from "./insert-passkey.ts";
export { isOneOfTwo } from "./is-one-of-two.ts";
export {
  deleteCredentialsOfUsers,
  expiredKeyRegistrations,
  listCredentialsOfUser,
  listReadyCredentials,
  listReadyCredentialsOfUser,
  listRelyingPartiesOf,
} from "./key-credential.store.ts";
export type { KeyCredential } from "./key-credential.ts";
export { listAcceptedCredentials } from "./list-accepted-credentials.ts";
export { listPasskeyAuthors } from "./list-passkey-authors.ts";
export { listPasskeys } from "./list-passkeys.ts";
export { type NewCredentialDeps, readNewCredential } from "./read-new-credential.ts";
export { refuseFailedKey } from "./refuse-failed-key.ts";
export { registerKey } from "./register-key.ts";
export { removeKey } from "./remove-key.ts";
export { removeKeys } from "./remove-keys.ts";
export { type PasskeyOfNewcomer, startPasskeyOfNewcomer } from "./start-passkey-of-newcomer.ts";
export { keyRefused, verifyKeyRegistration } from "./verify-key-registration.ts";
export type { UntrustedCredential } from "./verify-signature.ts";
