import type { Call } from "../../call/index.ts";
import { authorizeSettings } from "../settings/index.ts";
import { findBuiltInTexts } from "./built-in-texts.ts";
import type { LoginTranslationDeps } from "./get-login-translation.ts";
import { type LoginPage, loginPages, maySetText, pageOfText } from "./login-page.ts";
import { findTranslations } from "./login-translation.store.ts";
import { type FlatTexts, flattenTexts, placeholdersOf } from "./login-words.ts";
import { requireLanguage } from "./set-custom-login-text.ts";

/** A text of the login's pages, as a level has it. */
export interface PageText {
  readonly key: string;
  readonly page: LoginPage;
  /** The text without an own one. */
  readonly inherited: string;
  /** Whether the instance has set the inherited text. */
  readonly isOfInstance: boolean;
  /** Empty when the level has none of its own. */
  readonly own: string;
  readonly placeholders: readonly string[];
}

interface PageTextScope {
  /** Empty for the instance. */
  readonly organizationId: string;
  readonly language: string;
  /** All pages when absent. */
  readonly page?: LoginPage | undefined;
}

/** Lists the texts that a level may set one by one, with what each inherits, for callers who may read its settings. */
export async function listPageTexts(
  deps: LoginTranslationDeps,
  call: Call,
  { organizationId, language, page }: PageTextScope,
): Promise<PageText[]> {
  const { read } = deps.database;
  await authorizeSettings(read, call, organizationId, "read");
  const locale = requireLanguage(language);
  const flat = async (id: string): Promise<FlatTexts> =>
    flattenTexts((await findTranslations(read, call.instanceId, { organizationId: id, locale })) ?? {});
  const own = await flat(organizationId);
  const above: FlatTexts = organizationId === "" ? new Map() : await flat("");
  const builtIn = flattenTexts(findBuiltInTexts(deps, locale));
  const texts = [...builtIn].flatMap(([key, text]): PageText[] => {
    const its = pageOfText(key);
    if (its === undefined || (page !== undefined && its !== page) || !maySetText(organizationId, key)) return [];
    const inherited = above.get(key) ?? text;
    const isOfInstance = above.has(key);
    return [{ key, page: its, inherited, isOfInstance, own: own.get(key) ?? "", placeholders: placeholdersOf(text) }];
  });
  return loginPages.flatMap((each) => texts.filter((text) => text.page === each));
}
