export {
  deleteConsents,
  deleteConsentsOfClient,
  deleteConsentsOfUsers,
  findConsent,
  holdConsent,
  holdConsentingUsers,
  listConsentsOfUser,
  listPreparedConsents,
} from "./consent.store.ts";
export type { Consent } from "./consent.ts";
export { giveConsent } from "./give-consent.ts";
export { withdrawConsent } from "./withdraw-consent.ts";
