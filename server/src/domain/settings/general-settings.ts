import { Fault } from "../../base/fault.ts";
import { type Language, languages } from "../../base/language.ts";

/** What the login and mails may speak. The default language is a property of the instance. */
export interface GeneralSettings {
  /** Languages that may be chosen; all that are supported when empty. */
  readonly allowedLanguages: readonly string[];
}

export const defaultGeneralSettings: GeneralSettings = { allowedLanguages: [] };

/** The languages that may be spoken: those of ours that the settings allow, else all of them. */
export function spokenLanguages({ allowedLanguages }: GeneralSettings): readonly Language[] {
  const spoken = languages.filter((language) => allowedLanguages.includes(language));
  return spoken.length === 0 ? languages : spoken;
}

/** Refuses languages that nobody translated. */
export function checkGeneralSettings(settings: GeneralSettings): void {
  const supported: readonly string[] = languages;
  if (!settings.allowedLanguages.every((language) => supported.includes(language))) {
    throw new Fault("invalid_argument", "settings.language_unsupported", { field: "allowedLanguages" });
  }
}
