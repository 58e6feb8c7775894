import type { Clock, Instant } from "../../base/clock.ts";
import type { Outbound } from "../../base/outbound/index.ts";
import type { ClientMetadata } from "../register/client-metadata.ts";
import { fetchDocument } from "./fetch-document.ts";

/** Fetched documents, for as long as they are valid. */
export interface DocumentCache {
  /** Returns the document at the address; undefined when there is no valid one, or too many were requested. */
  get(
    instanceId: string,
    url: URL,
  ): Promise<{ readonly metadata: ClientMetadata; readonly isNew: boolean } | undefined>;
}

interface Entry {
  readonly metadata: ClientMetadata | undefined;
  readonly until: Instant;
}

const mostDocuments = 1_000;
/** Fetches of one instance: five per second, with a burst of twenty. */
const rate = { perSecond: 5, burst: 20 } as const;

/** Creates the cache. Requests of one instance do not affect another. */
export function createDocumentCache({
  outbound,
  clock,
}: {
  readonly outbound: Outbound;
  readonly clock: Clock;
}): DocumentCache {
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
  const load = async (key: string, url: URL, now: Instant): Promise<Entry> => {
    const { metadata, lifetime } = await fetchDocument(outbound, url, now);
    const entry = { metadata, until: now + lifetime };
    entries.delete(key);
    entries.set(key, entry);
    if (entries.size > mostDocuments) entries.delete(entries.keys().next().value ?? "");
    return entry;
  };
  return {
    get: async (instanceId, url) => {
      const key = `${instanceId}\n${url.href}`;
      const now = clock();
      const kept = entries.get(key);
      if (kept !== undefined && now < kept.until) return kept.metadata && { metadata: kept.metadata, isNew: false };
      let promise = loading.get(key);
      if (promise === undefined) {
        if (!takesTurn(instanceId, now)) return undefined;
        promise = load(key, url, now).finally(() => loading.delete(key));
        loading.set(key, promise);
      }
      const { metadata } = await promise;
      return metadata && { metadata, isNew: true };
    },
  };
}
