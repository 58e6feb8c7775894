import MemoryAdapter from "oidc-provider/lib/adapters/memory_adapter.js";
import LRU from "oidc-provider/lib/helpers/lru.js";
import type { AdapterFactory } from "./adapter.ts";

// Its own adapter with room for what a run prepares: by default it forgets everything beyond a thousand records.
const mostRecords = 200_000;

export function createMemoryAdapter(): AdapterFactory {
  const store = new LRU({ maxSize: mostRecords });
  return (model) => new MemoryAdapter(model, store);
}
