export { authorizeSettings } from "./authorize-settings.ts";
export {
  activeBranding,
  type Branding,
  type BrandingAssetSlot,
  type BrandingAssets,
  type BrandingSettings,
  defaultBrandingSettings,
  type Theme,
} from "./branding-settings.ts";
export { type CodeForm, type CodeName, codeNames } from "./code-settings.ts";
export { createDefaultSettings } from "./create-default-settings.ts";
export type { LoginScreens } from "./custom-login-text.ts";
export { listSettingsOfKind } from "./documents-of-kind.store.ts";
export type { DomainSettings } from "./domain-settings.ts";
export { createFindLoginWords, type FindLoginWords } from "./find-login-words.ts";
export { spokenLanguages } from "./general-settings.ts";
export { getCustomLoginText, getDefaultLoginText, type ShownLoginText } from "./get-custom-login-text.ts";
export { getGeneralSettings } from "./get-general-settings.ts";
export { getLoginTranslation, type LoginTranslationDeps, type TranslationLevel } from "./get-login-translation.ts";
export { type GetSettingsDeps, getSettings } from "./get-settings.ts";
export { chosenLanguages, setAllowedLanguages, setDefaultLanguage } from "./languages.ts";
export type { LegalSupportSettings } from "./legal-support-settings.ts";
export type { Link, LinkSettings, LinkType } from "./link-settings.ts";
export type { LockoutSettings } from "./lockout-settings.ts";
export type { LoginLayout, LoginSettings, MultiFactor, SecondFactor } from "./login-settings.ts";
export type { Translations } from "./login-translation.ts";
export type { NotificationSettings } from "./notification-settings.ts";
export type { OidcSettings } from "./oidc-settings.ts";
export type { OrganizationSettingsFilter, OrganizationSettingsSearch } from "./organization-settings.store.ts";
export {
  deleteOrganizationSettings,
  listOrganizationSettings,
  setOrganizationSettings,
} from "./organization-settings.ts";
export type { PasswordComplexitySettings, PasswordExpirySettings } from "./password-settings.ts";
export { readCodeFormat } from "./read-code-format.ts";
export { listSignInGaps, refuseLossOfProvider } from "./refuse-sign-in-gap.ts";
export { removeSettingsOfOrganization } from "./remove-settings-of-organization.ts";
export { clearSettings, resetSettings } from "./reset-settings.ts";
export { registrationQuotaOf, type SecuritySettings } from "./security-settings.ts";
export { resetCustomLoginText, setCustomLoginText } from "./set-custom-login-text.ts";
export { setLoginTranslation } from "./set-login-translation.ts";
export { setSettings } from "./set-settings.ts";
export { type EffectiveSettings, type SettingsDocuments, type SettingsKind, settingsKinds } from "./settings.ts";
export { createSettingsReader, readSettings, type SettingsPlace, type SettingsReader } from "./settings-reader.ts";
export { raiseToStrict } from "./strict-settings.ts";
export { type DomainSettingsDeps, resetDomainSettings, updateDomainSettings } from "./update-domain-settings.ts";
export { updateSettings } from "./update-settings.ts";
export { writeSettings } from "./write-settings.ts";
