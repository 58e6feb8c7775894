/** Values by key, up to a number and a sum of sizes. */
export interface BoundedMap<Value> extends Iterable<readonly [key: string, value: Value]> {
  get(key: string): Value | undefined;
  /** Keeps a value in place of the one before. Those that were put first make room for it. */
  put(key: string, value: Value): void;
  delete(key: string): void;
  clear(): void;
}

/**
 * Creates a map for what strangers or tenants decide how much there is of. A value that is larger than the sum allows
 * is not kept, and drops no others.
 */
export function createBoundedMap<Value>({
  most,
  mostSize,
  sizeOf,
}: {
  readonly most: number;
  readonly mostSize: number;
  readonly sizeOf: (value: Value) => number;
}): BoundedMap<Value> {
  const kept = new Map<string, { readonly value: Value; readonly size: number }>();
  let sum = 0;
  const drop = (key: string): void => {
    sum -= kept.get(key)?.size ?? 0;
    kept.delete(key);
  };
  return {
    get: (key) => kept.get(key)?.value,
    put: (key, value) => {
      drop(key);
      const size = sizeOf(value);
      if (size > mostSize) return;
      for (const oldest of kept.keys()) {
        if (kept.size < most && sum + size <= mostSize) break;
        drop(oldest);
      }
      kept.set(key, { value, size });
      sum += size;
    },
    delete: drop,
    clear: () => {
      kept.clear();
      sum = 0;
    },
    *[Symbol.iterator]() {
      for (const [key, { value }] of kept) yield [key, value] as const;
    },
  };
}
