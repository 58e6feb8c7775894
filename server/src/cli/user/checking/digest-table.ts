import { createHmac } from "node:crypto";
import type { Random } from "../../../base/random.ts";

/** Remembers a number for each of many texts, in 16 bytes for each. */
export interface DigestTable {
  get(text: string): number | undefined;
  /** Sets the number of a text, unless it has one. */
  add(text: string, value: number): void;
}

const firstCapacity = 1024;

/**
 * Creates an empty table. Texts are known by 64 bits of a digest with a key of its own: two of ten million texts are
 * confused with a probability of one in 400,000, and a file cannot be made so that they are.
 */
export function createDigestTable(random: Random): DigestTable {
  const key = random(32);
  let capacity = firstCapacity;
  let count = 0;
  let digests = new BigUint64Array(capacity);
  let values = new Float64Array(capacity).fill(Number.NaN);

  const digestOf = (text: string): bigint => createHmac("sha256", key).update(text).digest().readBigUInt64LE();

  const slotOf = (digest: bigint): number => {
    let slot = Number(digest % BigInt(capacity));
    while (!Number.isNaN(values[slot]) && digests[slot] !== digest) slot = (slot + 1) % capacity;
    return slot;
  };

  const put = (digest: bigint, value: number): void => {
    const slot = slotOf(digest);
    if (!Number.isNaN(values[slot])) return;
    digests[slot] = digest;
    values[slot] = value;
    count++;
  };

  const grow = (): void => {
    const [formerDigests, formerValues] = [digests, values];
    capacity *= 2;
    count = 0;
    digests = new BigUint64Array(capacity);
    values = new Float64Array(capacity).fill(Number.NaN);
    formerValues.forEach((value, slot) => {
      if (!Number.isNaN(value)) put(formerDigests[slot] ?? 0n, value);
    });
  };

  return {
    get: (text) => {
      const value = values[slotOf(digestOf(text))] ?? Number.NaN;
      return Number.isNaN(value) ? undefined : value;
    },
    add: (text, value) => {
      if (count * 4 > capacity * 3) grow();
      put(digestOf(text), value);
    },
  };
}
