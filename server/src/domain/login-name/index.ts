export { isOwnChoice } from "./chosen-name.ts";
export { firstHolders, listFirstOfActiveOrganizations } from "./contact-order.store.ts";
export { findMeaning, listMeantAnywhere, type Meaning, type MeantUser } from "./find-meaning.ts";
export { findNameMeaning, findUserByLoginName } from "./find-user-by-login-name.ts";
export { findUserByPhone } from "./find-user-by-phone.ts";
export { formNames, formNamesTogether, holdForNames, type OwnAddress } from "./form-names.ts";
export { holdersByCode, holdersByWord, type NameOptions, withActive } from "./holders.store.ts";
export {
  compactDigits,
  compactPhone,
  emailKeyOf,
  type Identifier,
  parseChosenId,
  parseEmail,
  parsePhone,
  parseUsername,
} from "./identifier.ts";
export { listUnreachableNames } from "./list-unreachable-names.ts";
export { isNameTakenInOrganization } from "./login-name.store.ts";
export { toLoginName } from "./login-name.ts";
export { listNamesInDomain, type NameInDomain, updateToldOfDomain } from "./names-in-domain.store.ts";
export { isCollision } from "./read-rule.ts";
export { refuseForeignName, refuseUsedName } from "./refuse-used-name.ts";
export { renameLoginNames } from "./rename-login-names.ts";
export { renameUsers } from "./rename-users.ts";
export { applyUsername } from "./set-username.ts";
