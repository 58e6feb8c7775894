import type { Clock, Instant } from "../../base/clock.ts";
import type { Outbound } from "../../base/outbound/index.ts";
import { type DocumentContent, fetchDocument } from "./fetch-document.ts";

/** Fetched documents, for as long as they are valid. */
export interface DocumentCache {
  /** Returns the document at the address, or why there is none. `isNew`: it was fetched for this call. */
  get(instanceId: string, url: URL): Promise<DocumentContent & { readonly isNew: boolean }>;
  /** Keeps a document that was fetched as a refused one, for as long as it is valid. */
  refuse(instanceId: string, url: URL, reason: string): void;
}

type Entry = DocumentContent & { readonly until: Instant };

const mostDocuments = 1_000;
/** Fetches of one instance: five per second, with a burst of twenty. */
const rate = { perSecond: 5, burst: 20 } as const;

export interface DocumentCacheDeps {
  readonly outbound: Outbound;
  readonly clock: Clock;
  /** Is told of each document that was fetched and refused. */
  readonly noteRefusal?: (refused: {
    readonly instanceId: string;
    readonly url: string;
    readonly reason: string;
  }) => void;
}

/** Creates the cache. Requests of one instance do not affect another. */
export function createDocumentCache({ outbound, clock, noteRefusal }: DocumentCacheDeps): DocumentCache {
  const entries = new Map<string, Entry>();
  const loading = new Map<string, Promise<Entry>>();
  const budgets = new Map<string, { readonly left: number; readonly at: Instant }>();

  const takesTurn = (instanceId: string, now: Instant): boolean => {
    const { left, at } = budgets.get(instanceId) ?? { left: rate.burst, at: now };
    const have = Math.min(rate.burst, left + (Math.max(0, now - at) / 1000) * rate.perSecond);
    if (have < 1) return false;
    budgets.set(instanceId, { left: have - 1, at: now });
    return true;
  };
  const load = async (instanceId: string, url: URL, now: Instant): Promise<Entry> => {
    const { lifetime, ...content } = await fetchDocument(outbound, url, now);
    const key = keyOf(instanceId, url);
    const entry: Entry = { ...content, until: now + lifetime };
    if (content.refusal !== undefined) noteRefusal?.({ instanceId, url: url.href, reason: content.refusal });
    entries.delete(key);
    entries.set(key, entry);
    if (entries.size > mostDocuments) entries.delete(entries.keys().next().value ?? "");
    return entry;
  };
  return {
    get: async (instanceId, url) => {
      const key = keyOf(instanceId, url);
      const now = clock();
      const kept = entries.get(key);
      if (kept !== undefined && now < kept.until) return { ...kept, isNew: false };
      let promise = loading.get(key);
      if (promise === undefined) {
        if (!takesTurn(instanceId, now))
          return { refusal: "too many client metadata documents are fetched", isNew: true };
        promise = load(instanceId, url, now).finally(() => loading.delete(key));
        loading.set(key, promise);
      }
      return { ...(await promise), isNew: true };
    },
    refuse: (instanceId, url, reason) => {
      const key = keyOf(instanceId, url);
      const kept = entries.get(key);
      if (kept === undefined || kept.refusal !== undefined) return;
      noteRefusal?.({ instanceId, url: url.href, reason });
      entries.set(key, { refusal: reason, until: kept.until });
    },
  };
}

const keyOf = (instanceId: string, url: URL): string => `${instanceId}\n${url.href}`;
