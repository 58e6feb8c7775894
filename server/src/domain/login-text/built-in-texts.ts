import { matchLanguage } from "../../base/language.ts";
import type { Texts } from "../../text/index.ts";
import { nestTexts, type Translations } from "./login-translation.ts";

// Areas of the catalogues that do not belong to the login.
const foreignAreas = new Set(["docs", "fault", "inbox", "setup", "start"]);

/** Returns the texts of our own login pages in the language that matches a tag, or in English. */
export const findBuiltInTexts = ({ texts }: { readonly texts: Pick<Texts, "all"> }, locale: string): Translations =>
  nestTexts(
    [...texts.all(matchLanguage(locale) ?? "en")].filter(([key]) => !foreignAreas.has(key.split(".", 1)[0] ?? "")),
  );
