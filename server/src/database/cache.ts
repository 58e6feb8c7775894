import { createBoundedMap } from "../base/bounded-map.ts";
import type { CommittedEvent, Database } from "./database.ts";

/** Caches values until an event makes them stale. */
export interface Cache<Value> {
  /** Returns the value, synchronously when it is cached. Absent values are looked up every time. */
  get(key: string): Value | undefined | Promise<Value | undefined>;
}

export interface CacheOptions<Value> {
  /** Reads the committed value. */
  readonly load: (key: string) => Promise<Value | undefined>;
  /** Aggregate types whose events can make a value stale; events of other types cost nothing. */
  readonly aggregateTypes: readonly string[];
  readonly isStaleAfter: (event: CommittedEvent, value: Value, key: string) => boolean;
  /** How many values are kept before the oldest are dropped; 10,000 by default. */
  readonly maximum?: number;
  /**
   * About how many characters or bytes a value has, where tenants decide how long values are; all together have
   * `mostCharacters`. "bounded" where they do not: then the number of values is limit enough.
   */
  readonly lengthOf: ((value: Value) => number) | "bounded";
  readonly mostCharacters?: number;
}

/**
 * Creates a cache whose values stay until an event makes them stale. While notifications of other nodes' commits do not
 * arrive, nothing is served from the cache. For data that only events change (instances, clients, keys, settings);
 * never for the state of tokens and users.
 */
export function createCache<Value extends object>(database: Database, options: CacheOptions<Value>): Cache<Value> {
  const { maximum = 10_000, lengthOf, mostCharacters = 64 * 1024 * 1024 } = options;
  const aggregateTypes = new Set(options.aggregateTypes);
  const values = createBoundedMap<Value>({
    most: maximum,
    mostSize: mostCharacters,
    sizeOf: lengthOf === "bounded" ? () => 0 : lengthOf,
  });
  const loading = new Map<string, Promise<Value | undefined>>();

  const clear = (): void => {
    loading.clear();
    values.clear();
  };

  database.onCommitted({
    committed: (event) => {
      if (!aggregateTypes.has(event.aggregateType)) return;
      // A running read may be older than this event, so later calls must not share it.
      loading.clear();
      for (const [key, value] of values) if (options.isStaleAfter(event, value, key)) values.delete(key);
    },
    missed: clear,
  });

  const load = (key: string): Promise<Value | undefined> => {
    const promise = options.load(key).then(
      (value) => {
        if (loading.get(key) === promise) {
          loading.delete(key);
          if (value !== undefined && database.hearsOtherNodes) values.put(key, value);
        }
        return value;
      },
      (error: unknown) => {
        if (loading.get(key) === promise) loading.delete(key);
        throw error;
      },
    );
    loading.set(key, promise);
    return promise;
  };

  return {
    get: (key) => {
      if (!database.hearsOtherNodes) {
        clear();
        return options.load(key);
      }
      return values.get(key) ?? loading.get(key) ?? load(key);
    },
  };
}
