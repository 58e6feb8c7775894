import type { Language } from "../../base/language.ts";
import { createCache, type Database } from "../../database/index.ts";
import { findTranslations } from "./login-translation.store.ts";
import { mergeTranslations } from "./login-translation.ts";
import { type FlatTexts, flattenTexts } from "./login-words.ts";

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

/** Reads login texts; caches them until the organization or the instance changes. */
export function createFindLoginWords({ database }: { readonly database: Database }): FindLoginWords {
  const { read } = database;
  const cache = createCache<Kept>(database, {
    maximum: 2_000,
    load: async (key) => {
      const [instanceId = "", organizationId = "", locale = ""] = key.split("\n");
      const ofInstance = await findTranslations(read, instanceId, { organizationId: "", locale });
      const own =
        organizationId === "" ? undefined : await findTranslations(read, instanceId, { organizationId, locale });
      const words = flattenTexts(mergeTranslations(ofInstance ?? {}, own ?? {}));
      return { instanceId, organizationId, words: words.size === 0 ? none : words };
    },
    aggregateTypes: ["instance", "organization"],
    isStaleAfter: (event, { instanceId, organizationId }) =>
      event.instanceId === instanceId && [instanceId, organizationId].includes(event.aggregateId),
  });
  return async ({ instanceId, organizationId = "", language }) => {
    if (/\s/.test(organizationId)) return none;
    return (await cache.get(`${instanceId}\n${organizationId}\n${language}`))?.words ?? none;
  };
}
