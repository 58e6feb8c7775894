import { Fault } from "../../base/fault.ts";
import { languages } from "../../base/language.ts";

/** What the login and mails may speak. The default language is a property of the instance. */
export interface GeneralSettings {
  /** Languages that may be chosen; all that are supported when empty. */
  readonly allowedLanguages: readonly string[];
}

export const defaultGeneralSettings: GeneralSettings = { allowedLanguages: [] };

/** Refuses languages that nobody translated. */
export function checkGeneralSettings(settings: GeneralSettings): void {
  const supported: readonly string[] = languages;
  if (!settings.allowedLanguages.every((language) => supported.includes(language))) {
    throw new Fault("invalid_argument", "settings.language_unsupported", { field: "allowedLanguages" });
  }
}
