export { authorizeSettings } from "./authorize-settings.ts";
export { changeOffered } from "./change-offered.ts";
export type { SettingsDeps } from "./change-settings.ts";
export { createDefaultSettings } from "./create-default-settings.ts";
export {
  activeBranding,
  type Branding,
  type BrandingAssetSlot,
  type BrandingAssets,
  type BrandingSettings,
  checkBrandingSettings,
  defaultBrandingSettings,
  type Theme,
} from "./documents/branding-settings.ts";
export { type CodeForm, type CodeName, codeNames } from "./documents/code-settings.ts";
export type { DomainSettings } from "./documents/domain-settings.ts";
export { spokenLanguages } from "./documents/general-settings.ts";
export type { LegalSupportSettings } from "./documents/legal-support-settings.ts";
export type { Link, LinkSettings, LinkType } from "./documents/link-settings.ts";
export type { LockoutSettings } from "./documents/lockout-settings.ts";
export {
  type LoginLayout,
  type LoginSettings,
  type MultiFactor,
  offersReset,
  type SecondFactor,
} from "./documents/login-settings.ts";
export type { NotificationSettings } from "./documents/notification-settings.ts";
export type { OidcSettings } from "./documents/oidc-settings.ts";
export type { PasswordComplexitySettings, PasswordExpirySettings } from "./documents/password-settings.ts";
export { registrationQuotaOf, type SecuritySettings } from "./documents/security-settings.ts";
export { listSettingsOfKind } from "./documents-of-kind.store.ts";
export { getGeneralSettings } from "./get-general-settings.ts";
export { type GetSettingsDeps, getSettings, requirePolicyRead } from "./get-settings.ts";
export { administersInstance } from "./instance-administrator.store.ts";
export { isImpersonationOn } from "./is-impersonation-on.ts";
export { chosenLanguages, setDefaultLanguage, setRestrictions } from "./languages.ts";
export { loginSettingsOf } from "./login-settings-of.ts";
export {
  deleteOrganizationSettingsRow,
  type OrganizationSettingsFilter,
  type OrganizationSettingsSearch,
} from "./organization-settings.store.ts";
export {
  deleteOrganizationSettings,
  listOrganizationSettings,
  setOrganizationSettings,
} from "./organization-settings.ts";
export { readCodeFormat } from "./read-code-format.ts";
export { etagOfSettings } from "./refuse-moved.ts";
export { listSignInGaps, refuseLossOfProvider } from "./refuse-sign-in-gap.ts";
export { refusesImpersonation } from "./refuses-impersonation.ts";
export { clearSettings, resetSettings } from "./reset-settings.ts";
export { setSettings } from "./set-settings.ts";
export { deleteSettingsOfOrganization } from "./settings.store.ts";
export { type EffectiveSettings, type SettingsDocuments, type SettingsKind, settingsKinds } from "./settings.ts";
export {
  createSettingsReader,
  readSettings,
  type SettingsReader,
  type SettingsScope,
  settingsReaderOf,
} from "./settings-reader.ts";
export { type StrictFloors, strictLimits } from "./strict-floors.ts";
export { raiseToStrict } from "./strict-settings.ts";
export { type DomainSettingsDeps, resetDomainSettings, updateDomainSettings } from "./update-domain-settings.ts";
export { updateSettings } from "./update-settings.ts";
export { type SettingsChange, writeSettings } from "./write-settings.ts";
