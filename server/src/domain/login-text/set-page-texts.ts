import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import { holdOrganization } from "../organization/index.ts";
import { authorizeSettings } from "../settings/index.ts";
import { findKnownTexts } from "./built-in-texts.ts";
import type { LoginTranslationDeps } from "./get-login-translation.ts";
import { maySetText } from "./login-page.ts";
import { lockTranslations } from "./login-translation.store.ts";
import { checkRoom, nestTexts, replaceTexts } from "./login-translation.ts";
import { checkWords, type FlatTexts } from "./login-words.ts";
import { requireLanguage } from "./set-custom-login-text.ts";
import { writeTranslations } from "./write-translations.ts";

interface PageTexts {
  /** Empty for the instance. */
  readonly organizationId: string;
  /** By key; an empty text is the inherited one. */
  readonly texts: FlatTexts;
}

/** Sets some texts of the login's pages in a language; all others stay. An empty text is removed. */
export async function setPageTexts(
  deps: LoginTranslationDeps,
  call: Call,
  { organizationId, language, texts }: PageTexts & { readonly language: string },
): Promise<void> {
  const key = { organizationId, locale: requireLanguage(language) };
  await deps.database.change(call, async (tx) => {
    await authorizeSettings(tx, call, organizationId, "write");
    checkPageTexts(deps, { organizationId, texts });
    if (organizationId !== "") await holdOrganization(tx, organizationId);
    const before = (await lockTranslations(tx, key)) ?? {};
    const after = replaceTexts(before, texts, (name) => texts.has(name));
    checkRoom(before, after);
    await writeTranslations(tx, key, after);
  });
}

/** Refuses texts that the level may not set, or whose placeholders their page does not fill. */
export function checkPageTexts(deps: Pick<LoginTranslationDeps, "texts">, { organizationId, texts }: PageTexts): void {
  const known = findKnownTexts(deps);
  const unknown = [...texts.keys()].find((key) => !known.has(key) || !maySetText(organizationId, key));
  if (unknown !== undefined) {
    throw new Fault("invalid_argument", "settings.text_unknown", { field: "texts", values: { key: unknown } });
  }
  checkWords(nestTexts(texts), known);
}
