import { Fault } from "../../base/fault.ts";
import { type Language, languages } from "../../base/language.ts";
import type { Call } from "../../call/index.ts";
import type { Details } from "../../database/index.ts";
import { holdOrganization } from "../organization/index.ts";
import { authorizeSettings } from "../settings/index.ts";
import { findKnownTexts } from "./built-in-texts.ts";
import { type LoginScreens, withScreens } from "./custom-login-text.ts";
import type { LoginTranslationDeps } from "./get-login-translation.ts";
import { lockTranslations } from "./login-translation.store.ts";
import { checkRoom } from "./login-translation.ts";
import { checkWords } from "./login-words.ts";
import { writeTranslations } from "./write-translations.ts";

/** The scope and the language of login texts. */
export interface LoginTextScope {
  /** Empty for the instance. */
  readonly organizationId: string;
  readonly language: string;
}

/** Returns the language that texts are set in. Refuses any other, because no page would show them. */
export function requireLanguage(tag: string): Language {
  const language = languages.find((each) => each === tag.trim().toLowerCase());
  if (language === undefined) {
    throw new Fault("invalid_argument", "settings.language_unsupported", { field: "language" });
  }
  return language;
}

/**
 * Replaces the login texts in a language, as the first generation of the API states them. Refuses placeholders that a
 * page does not fill. Returns undefined when nothing changed.
 */
export function setCustomLoginText(
  deps: LoginTranslationDeps,
  call: Call,
  { organizationId, language, screens }: LoginTextScope & { readonly screens: LoginScreens },
): Promise<Details | undefined> {
  const key = { organizationId, locale: requireLanguage(language) };
  return deps.database.change(call, async (tx) => {
    await authorizeSettings(tx, call, organizationId, "write");
    if (organizationId !== "") await holdOrganization(tx, organizationId);
    checkWords(withScreens({}, screens), findKnownTexts(deps));
    const before = (await lockTranslations(tx, key)) ?? {};
    const translations = withScreens(before, screens);
    checkRoom(before, translations);
    return writeTranslations(tx, key, translations);
  });
}

/** Removes the custom texts of a language. Returns undefined when there were none. */
export function resetCustomLoginText(
  deps: Pick<LoginTranslationDeps, "database">,
  call: Call,
  { organizationId, language }: LoginTextScope,
): Promise<Details | undefined> {
  const key = { organizationId, locale: requireLanguage(language) };
  return deps.database.change(call, async (tx) => {
    await authorizeSettings(tx, call, organizationId, "delete");
    return writeTranslations(tx, key, {});
  });
}
