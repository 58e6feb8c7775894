export { acceptInvitation } from "./accept-invitation.ts";
export {
  type AddedUser,
  type AddHuman,
  type AddHumanDeps,
  addHuman,
  insertHuman,
  insertHumanWithAccounts,
  type NewAccount,
  type PreparedHuman,
  prepareHuman,
} from "./add-human.ts";
export { addMachine } from "./add-machine.ts";
export { addPassword } from "./add-password.ts";
export { addPersonalAccessToken } from "./add-personal-access-token.ts";
export { addUserKey } from "./add-user-key.ts";
export {
  type ActOnUser,
  type AuthorizeDeps,
  authorizeUser,
  authorizeUserDeletion,
  holdAuthorizedUser,
  type IsFresh,
  isSelf,
  type MayActFor,
  readUser,
  removeWayIn,
  requireHuman,
  type UserAuthorization,
  writeOwnCredential,
  writeOwnWayIn,
} from "./authorize-user.ts";
export { largestAvatar, pathOfAvatar, urlOfAvatar } from "./avatar.ts";
export { type ChangeStateDeps, changeUserState, type UserMove } from "./change-user-state.ts";
export { checkInvitation } from "./check-invitation.ts";
export { checkNewPerson } from "./check-new-person.ts";
export { type CheckPassword, type CheckPasswordDeps, checkPassword } from "./check-password.ts";
export { claimDomain } from "./claim-domain.ts";
export { codePause, findCodePause } from "./code-pause.ts";
export { readCommonParts } from "./common-parts.store.ts";
export { assertedBy, type ContactProof, parseProof, reachesInstance } from "./contact-proof.ts";
export { createHumanUser, type NewHumanUser } from "./create-human-user.ts";
export { createInvitation, resendInvitation } from "./create-invitation.ts";
export { createMachineUser } from "./create-machine-user.ts";
export type { CredentialFilter, CredentialSortColumn, ListedCredential } from "./credential-list.store.ts";
export { parseExpiry } from "./expiry.ts";
export type { FactorSteps, PasskeyCode } from "./factor-steps.ts";
export { findPasswordChange } from "./find-password-change.ts";
export { findUserByLoginName } from "./find-user-by-login-name.ts";
export { findUserByPhone } from "./find-user-by-phone.ts";
export { findAvatar } from "./get-avatar.ts";
export { passwordThrottled } from "./guess-throttle.ts";
export { isPasswordEnding } from "./is-password-ending.ts";
export { type CodeDelivery, type CodeDeps, languageOf } from "./issue-code.ts";
export { type IssuedToken, issuePersonalAccessToken } from "./issue-personal-access-token.ts";
export { type AddedUserKey, issueUserKey, type NewUserKey } from "./issue-user-key.ts";
export { listLastingAccounts } from "./lasting-credential.store.ts";
export { leaveInitialState } from "./leave-initial-state.ts";
export { listPersonalAccessTokens, listUserKeys } from "./list-credentials.ts";
export { getUser, type ListedUser, listUsers } from "./list-users.ts";
export { isUserUnique, lookUpLoginName } from "./look-up-name.ts";
export { chooseMessageLink } from "./message-link.ts";
export { inViewFilter } from "./people-in-view.store.ts";
export {
  isInView,
  isOrganizationInView,
  type ListedPerson,
  type PeopleInView,
  peopleInView,
} from "./people-in-view.ts";
export { findPersonalAccessToken } from "./personal-access-token.store.ts";
export { type NewPassword, type PasswordDeps, preparePassword } from "./prepare-password.ts";
export type { NewProfile } from "./profile.ts";
export { recordUserEvent } from "./record-user.ts";
export { codeInvalid, mayRedeem } from "./redeem-code.ts";
export { refuseForeignName, refuseUsedName } from "./refuse-used-name.ts";
export { removeAvatar } from "./remove-avatar.ts";
export { removePersonalAccessToken } from "./remove-personal-access-token.ts";
export { removeUser } from "./remove-user.ts";
export { removeUserKey } from "./remove-user-key.ts";
export { renameLoginNames } from "./rename-login-names.ts";
export { requestContactCode } from "./request-contact-code.ts";
export { requestInvitation } from "./request-invitation.ts";
export { requestPasswordReset, sendPasswordReset } from "./request-password-reset.ts";
export { resendInitialization, sendInitialization } from "./resend-initialization.ts";
export { resendPhoneCode } from "./resend-phone-code.ts";
export { sendEmailCode } from "./send-email-code.ts";
export {
  findServiceAccount,
  findServiceAccountById,
  listUserVerificationKeys,
  type ServiceAccount,
} from "./service-account.store.ts";
export { setMyAvatar } from "./set-avatar.ts";
export { type ContactChange, setEmail } from "./set-email.ts";
export { setFirstPassword } from "./set-first-password.ts";
export type { MachineChange } from "./set-machine.ts";
export { type PasswordProof, type SetPasswordDeps, setPassword } from "./set-password.ts";
export { removePhone, setPhone } from "./set-phone.ts";
export { applyProfile } from "./set-profile.ts";
export { removeSecret, setSecret } from "./set-secret.ts";
export { skipSecondFactor } from "./skip-second-factor.ts";
export { type HumanChange, updateUser } from "./update-user.ts";
export { findUser, findUserScope, holdUsersOfOrganization, type UserScope } from "./user.store.ts";
export {
  type AccessTokenFormat,
  type Gender,
  type HumanUser,
  type MachineUser,
  type User,
  type UserKind,
  type UserState,
  userAggregate,
} from "./user.ts";
export { foldUserCounts } from "./user-counts.store.ts";
export type { UserFilter } from "./user-filter.store.ts";
export type { UserSortColumn } from "./user-list.store.ts";
export { deleteUserMetadata, listUserMetadata, putUserMetadata, setUserMetadata } from "./user-metadata.ts";
export { requireUserOfOrganization } from "./user-of-organization.ts";
export { usersByText } from "./users-by-text.store.ts";
export type { Verification } from "./verification.ts";
export { verifyEmail } from "./verify-email.ts";
export { verifyInvitation } from "./verify-invitation.ts";
export { verifyPhone } from "./verify-phone.ts";
