import { matchLanguage } from "../../base/language.ts";
import type { Texts } from "../../text/index.ts";
import { nestTexts, type Translations } from "./login-translation.ts";
import type { FlatTexts } from "./login-words.ts";

// Areas of the catalogues that do not belong to the login.
const foreignAreas = new Set(["docs", "fault", "impersonation", "inbox", "setup", "setup_link", "start"]);

/** Returns every text that our pages can show, in English, by its full key: also those that no level lists. */
export const findKnownTexts = ({ texts }: { readonly texts: Pick<Texts, "all"> }): FlatTexts =>
  new Map(texts.all("en"));

/** Returns the texts of our own login pages in the language that matches a tag, or in English. */
export const findBuiltInTexts = ({ texts }: { readonly texts: Pick<Texts, "all"> }, locale: string): Translations =>
  nestTexts(
    [...texts.all(matchLanguage(locale) ?? "en")].filter(([key]) => !foreignAreas.has(key.split(".", 1)[0] ?? "")),
  );
