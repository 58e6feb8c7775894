import type { Clock } from "./clock.ts";
import type { Random } from "./random.ts";

/** Makes identifiers: decimal strings of 18 or 19 digits that increase with time. */
export type IdGenerator = () => string;

// 2020-01-01T00:00:00Z: keeps identifiers at 18 digits from 2023 and at 19 until the year 2089.
const epoch = 1_577_836_800_000;
const randomBits = 22n;
const ceiling = 1 << 22;

/**
 * Creates an identifier generator. An identifier is the time in milliseconds followed by 22 bits. The bits start at
 * random in each millisecond and increase by random increments. One process therefore never repeats an identifier, and
 * the next one cannot be predicted from the last.
 */
export function createIdGenerator(clock: Clock, random: Random): IdGenerator {
  let millisecond = 0;
  let tail = 0;
  return () => {
    const now = clock() - epoch;
    if (now > millisecond) {
      millisecond = now;
      // The upper quarter stays free for the increments of this millisecond.
      tail = Math.floor(random(3).readUIntBE(0, 3) * ((ceiling * 0.75) / 0x1000000));
    } else {
      tail += 1 + random(1).readUInt8(0);
      if (tail >= ceiling) {
        millisecond += 1;
        tail = random(2).readUInt16BE(0);
      }
    }
    return ((BigInt(millisecond) << randomBits) | BigInt(tail)).toString();
  };
}

/** Whether a caller may choose this identifier: 1 to 200 readable characters that are valid in a path. */
export const isChosenId = (id: string): boolean =>
  /^[\p{L}\p{N}\p{P}\p{S}]{1,200}$/u.test(id) && !/[/?#%\\]|^\.\.?$/.test(id);

/**
 * Returns the id of a principal that is not a user: the hosted login, the operator, a system user. It begins with a
 * slash, which nothing that has a chosen or generated id does, so no account can be taken for one of them.
 */
export const principalId = (name: string): string => `/${name}`;
