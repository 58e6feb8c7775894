export type { LoginScreens } from "./custom-login-text.ts";
export { createFindLoginWords, type FindLoginWords } from "./find-login-words.ts";
export { getCustomLoginText, getDefaultLoginText, type ShownLoginText } from "./get-custom-login-text.ts";
export { getLoginTranslation, type LoginTranslationDeps, type TranslationLevel } from "./get-login-translation.ts";
export { deleteTranslationsOfOrganization } from "./login-translation.store.ts";
export type { Translations } from "./login-translation.ts";
export { resetCustomLoginText, setCustomLoginText } from "./set-custom-login-text.ts";
export { setLoginTranslation } from "./set-login-translation.ts";
