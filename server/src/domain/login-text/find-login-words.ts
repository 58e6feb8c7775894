import type { Language } from "../../base/language.ts";
import { createCache, type Database } from "../../database/index.ts";
import type { Texts } from "../../text/index.ts";
import type { SettingsReader } from "../settings/index.ts";
import { findKnownTexts } from "./built-in-texts.ts";
import { findTranslations } from "./login-translation.store.ts";
import { entriesOf, type Translations } from "./login-translation.ts";
import { type FlatTexts, isShown } from "./login-words.ts";

/** The scope of login texts. */
interface WordsScope {
  readonly instanceId: string;
  readonly organizationId: string | undefined;
  readonly language: Language;
}

/**
 * Returns the texts with which an organization, and below it its instance, overrides those of our pages. Usually from
 * memory.
 */
export type FindLoginWords = (scope: WordsScope) => Promise<FlatTexts>;

interface Kept {
  readonly instanceId: string;
  readonly organizationId: string;
  readonly words: FlatTexts;
}

const none: FlatTexts = new Map();

// Texts of other logins may be much longer.
const longestLabel = 500;

/**
 * Reads login texts; caches them until the organization or the instance changes. Texts of other logins are left out:
 * our pages show none of them but the words of links, which the link settings name by their keys.
 */
export function createFindLoginWords(deps: {
  readonly database: Database;
  readonly texts: Pick<Texts, "all">;
  readonly settings: Pick<SettingsReader, "get">;
}): FindLoginWords {
  const { database, texts, settings } = deps;
  const { read } = database;
  const known = findKnownTexts({ texts });
  const ofPages = (levels: readonly Translations[], ofLinks: ReadonlySet<string>): FlatTexts =>
    new Map(
      levels
        .flatMap((level) => entriesOf(level))
        .filter(([key, text]) => (known.has(key) ? isShown(text) : ofLinks.has(key) && text.length <= longestLabel)),
    );
  const cache = createCache<Kept>(database, {
    maximum: 2_000,
    load: async (key) => {
      const [instanceId = "", organizationId = "", locale = ""] = key.split("\n");
      const ofInstance = await findTranslations(read, instanceId, { organizationId: "", locale });
      const own =
        organizationId === "" ? undefined : await findTranslations(read, instanceId, { organizationId, locale });
      const { links } = (await settings.get("links", { instanceId, organizationId: organizationId || undefined }))
        .settings;
      const ofLinks = new Set(links.map(({ translationKey }) => translationKey));
      const words = ofPages([ofInstance ?? {}, own ?? {}], ofLinks);
      return { instanceId, organizationId, words: words.size === 0 ? none : words };
    },
    aggregateTypes: ["instance", "organization"],
    isStaleAfter: (event, { instanceId, organizationId }) =>
      event.instanceId === instanceId && [instanceId, organizationId].includes(event.aggregateId),
    lengthOf: ({ words }) => [...words].reduce((sum, [key, text]) => sum + key.length + text.length, 100),
  });
  return async ({ instanceId, organizationId = "", language }) => {
    if (/\s/.test(organizationId)) return none;
    return (await cache.get(`${instanceId}\n${organizationId}\n${language}`))?.words ?? none;
  };
}
