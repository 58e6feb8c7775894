import type { Language } from "../../base/language.ts";
import { createCache, type Database } from "../../database/index.ts";
import { findTranslations } from "./login-translation.store.ts";
import { mergeTranslations } from "./login-translation.ts";
import { type FlatTexts, flattenTexts } from "./login-words.ts";

/** Where words are asked for. */
export interface WordsPlace {
  readonly instanceId: string;
  readonly organizationId: string | undefined;
  readonly language: Language;
}

/** Tells what an organization, and before it its instance, says instead of what our pages say. From memory as a rule. */
export type FindLoginWords = (place: WordsPlace) => Promise<FlatTexts>;

interface Kept {
  readonly instanceId: string;
  readonly organizationId: string;
  readonly words: FlatTexts;
}

const none: FlatTexts = new Map();

/** Reads words; keeps what it read until the organization or the instance changes. */
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
