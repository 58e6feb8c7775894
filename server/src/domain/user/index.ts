export {
  authorOfContact,
  authorOfCredential,
  findAuthorOfCredential,
  type IsCredentialSuspended,
  isPassedOn,
  type ManagesUsers,
  type MayPrepareFor,
  type MayPrepareNow,
  type MayVouchFor,
  type PreparedDeps,
  readAuthorOfCredential,
  type SuspensionDeps,
} from "./author.ts";
export {
  type ActOnUser,
  type AuthorizeDeps,
  authorizeUser,
  authorizeUserDeletion,
  freshForChange,
  freshForForm,
  holdAuthorizedUser,
  type IsFresh,
  isSelf,
  type MayActFor,
  notFound,
  readUser,
  removeSecondFactor,
  removeSignInMethod,
  requireHuman,
  requireMachine,
  sendCode,
  type UserAuthorization,
  writeOthers,
  writeOthersData,
  writeOwn,
  writeOwnCredential,
  writeOwnData,
  writeOwnSignInMethods,
} from "./authorize-user.ts";
export { type ChangeStateDeps, changeUserState, lockUser, type UserMove } from "./change-user-state.ts";
export { assertedBy, type ContactProof, formatProof, parseProof, reachesInstance, toldProof } from "./contact-proof.ts";
export { eraseMarkedEvents, listInstancesToErase, listMarkedUsers } from "./erase-events.store.ts";
export type { FactorSteps, PasskeyCode } from "./factor-steps.ts";
export { hasBegun } from "./has-begun.ts";
export { type LinkDeps, leadsToInstance } from "./leads-to-instance.ts";
export { leaveInitialState } from "./leave-initial-state.ts";
export { keepFormerSecondFactor, updateNames } from "./profile.store.ts";
export { type NewProfile, noLanguage, parseName, parseProfile } from "./profile.ts";
export { readDetails } from "./read-details.ts";
export { recordUserEvent } from "./record-user.ts";
export { removeUsers } from "./remove-users.ts";
export { restsOnMessage } from "./rests-on-message.ts";
export {
  findServiceAccount,
  findServiceAccountById,
  listUserVerificationKeys,
  type ServiceAccount,
} from "./service-account.store.ts";
export { applyMachine, type MachineChange } from "./set-machine.ts";
export { applyProfile, type ProfileChange } from "./set-profile.ts";
export {
  endSignInsOfUsers,
  findEndOfSignIns,
  findSignInEpoch,
  firstSignInEpoch,
  holdSignInEpoch,
} from "./sign-in-epoch.store.ts";
export { skipSecondFactor } from "./skip-second-factor.ts";
export {
  findUser,
  findUserScope,
  holdUser,
  holdUsersOfOrganization,
  insertUser,
  insertUsers,
  type UserInsert,
  type UserScope,
} from "./user.store.ts";
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
export { deleteUserMetadata, listUserMetadata, putUserMetadata, setUserMetadata } from "./user-metadata.ts";
export { requireUserOfOrganization } from "./user-of-organization.ts";
export { toUser, type UserRow, userColumns } from "./user-row.ts";
export { inViewFilter } from "./visible-users.store.ts";
export {
  isInView,
  isOrganizationInView,
  type ListedPerson,
  type VisibleUsers,
  visibleUsers,
} from "./visible-users.ts";
