import { createRateLimiter } from "../../base/budget/rate-limiter.ts";
import { createSourceLimiter } from "../../base/budget/source-limiter.ts";
import type { Clock, Instant } from "../../base/clock.ts";
import type { Outbound } from "../../base/outbound/index.ts";
import { type DocumentContent, fetchDocument } from "./fetch-document.ts";

/** Fetched documents, for as long as they are valid. */
export interface DocumentCache {
  /** Returns the document at the address, or why there is none. `isNew`: it was fetched for this call. */
  get(instanceId: string, url: URL, asker?: DocumentAsker): Promise<DocumentContent & { readonly isNew: boolean }>;
  /** Keeps a document that was fetched as a refused one, for as long as it is valid. */
  refuse(instanceId: string, url: URL, reason: string): void;
}

/** Who asks for a document. */
interface DocumentAsker {
  /** Network of the request, where there is one. */
  readonly source?: string | undefined;
  /** Whether the document is that of a client that exists. */
  readonly isKnown: boolean;
}

type Entry = DocumentContent & { readonly until: Instant };

const mostDocuments = 1_000;
/** Fetches for one instance: five a second, with a burst of twenty. */
const ofInstance = { perMinute: 300, burst: 20 } as const;
/** Fetches for one source of addresses that are not clients yet. */
const ofSource = { perMinute: 60, burst: 10 } as const;

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

/**
 * Creates the cache. Requests of one instance do not affect another. Addresses that strangers make up share the fetches
 * of their instance, and each source has a part of them. Those of clients that exist are counted for each source alone,
 * so that no stranger keeps the users of these clients from signing in.
 */
export function createDocumentCache({ outbound, clock, noteRefusal }: DocumentCacheDeps): DocumentCache {
  const entries = new Map<string, Entry>();
  const loading = new Map<string, Promise<Entry>>();
  const made = createRateLimiter(ofInstance);
  const madeBySource = createSourceLimiter(ofSource);
  const known = createSourceLimiter(ofInstance);
  const takesTurn = (instanceId: string, { source, isKnown }: DocumentAsker, now: Instant): boolean => {
    if (isKnown) return source === undefined || known.take(instanceId, source, now) === 0;
    if (source !== undefined && madeBySource.take(instanceId, source, now) > 0) return false;
    return made.take(instanceId, now) === 0;
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
    get: async (instanceId, url, asker = { isKnown: false }) => {
      const key = keyOf(instanceId, url);
      const now = clock();
      const kept = entries.get(key);
      if (kept !== undefined && now < kept.until) return { ...kept, isNew: false };
      let promise = loading.get(key);
      if (promise === undefined) {
        if (!takesTurn(instanceId, asker, now))
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
