import { randomBytes } from "node:crypto";

/** Source of unpredictable bytes: the only one in the product. */
export type Random = (size: number) => Buffer;

const poolSize = 8192;
let pool = Buffer.alloc(0);
let used = 0;

/**
 * Returns bytes from the system's generator. Small requests are served from a pool that is refilled in one call,
 * because a call per token is most of the cost of an opaque token. Served bytes are copied and wiped from the pool.
 */
export const systemRandom: Random = (size) => {
  if (size > poolSize / 4) return randomBytes(size);
  if (used + size > pool.length) {
    pool = randomBytes(poolSize);
    used = 0;
  }
  const bytes = Buffer.from(pool.subarray(used, used + size));
  pool.fill(0, used, used + size);
  used += size;
  return bytes;
};
