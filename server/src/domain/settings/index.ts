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
export type { CodeName } from "./code-settings.ts";
export { createDefaultSettings } from "./create-default-settings.ts";
export { listSettingsOfKind } from "./documents-of-kind.store.ts";
export { createFindLoginWords, type FindLoginWords } from "./find-login-words.ts";
export { spokenLanguages } from "./general-settings.ts";
export { getGeneralSettings } from "./get-general-settings.ts";
export { type GetSettingsDeps, getSettings } from "./get-settings.ts";
export type { Link, LinkType } from "./link-settings.ts";
export type { LoginSettings, SecondFactor } from "./login-settings.ts";
export { nestTexts, type Translations } from "./login-translation.ts";
export type { OidcSettings } from "./oidc-settings.ts";
export type { PasswordComplexitySettings } from "./password-settings.ts";
export { readCodeFormat } from "./read-code-format.ts";
export { listSignInGaps, refuseLossOfProvider } from "./refuse-sign-in-gap.ts";
export { removeSettingsOfOrganization } from "./remove-settings-of-organization.ts";
export { clearSettings, resetSettings } from "./reset-settings.ts";
export { registrationQuotaOf, type SecuritySettings } from "./security-settings.ts";
export { setSettings } from "./set-settings.ts";
export { type EffectiveSettings, type SettingsDocuments, type SettingsKind, settingsKinds } from "./settings.ts";
export { createSettingsReader, readSettings, type SettingsPlace, type SettingsReader } from "./settings-reader.ts";
export { raiseToStrict } from "./strict-settings.ts";
export { writeSettings } from "./write-settings.ts";
