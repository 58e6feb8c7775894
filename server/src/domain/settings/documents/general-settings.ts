import { Fault } from "../../../base/fault.ts";
import { type Language, languages } from "../../../base/language.ts";

/** Languages of the login and of mails. The default language is a property of the instance. */
export interface GeneralSettings {
  /** Languages that may be chosen; all supported ones when empty. */
  readonly allowedLanguages: readonly string[];
  /**
   * What administrators state about strangers who register organizations. Only administrators create organizations
   * here, so both values mean the same.
   */
  readonly disallowPublicOrgRegistration: boolean;
}

export const defaultGeneralSettings: GeneralSettings = { allowedLanguages: [], disallowPublicOrgRegistration: true };

/** Returns the supported languages that the settings allow, otherwise all supported ones. */
export function spokenLanguages({ allowedLanguages }: GeneralSettings): readonly Language[] {
  const spoken = languages.filter((language) => allowedLanguages.includes(language));
  return spoken.length === 0 ? languages : spoken;
}

/** Refuses languages without a translation. */
export function checkGeneralSettings(settings: GeneralSettings): void {
  const supported: readonly string[] = languages;
  if (!settings.allowedLanguages.every((language) => supported.includes(language))) {
    throw new Fault("invalid_argument", "settings.language_unsupported", { field: "allowedLanguages" });
  }
}
