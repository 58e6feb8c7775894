import process from "node:process";

/** Random choices that a seed repeats. */
export interface Chance {
  /** A number from 0 up to but without `limit`. */
  below(limit: number): number;
  /** True in so many of a hundred cases. */
  percent(share: number): boolean;
  /** One of the list, which is not empty. */
  one<Item>(list: readonly Item[]): Item;
}

/** The seed of `DOORWARD_TEST_SEED`, else another one each time; tests print it when they fail. */
export function testSeed(): number {
  const given = process.env["DOORWARD_TEST_SEED"];
  return given ? Number(given) : Math.floor(Math.random() * 2 ** 31);
}

/** Whether the long version of a suite is wanted (`npm test -- --whole PATH`). */
export const isLong = (): boolean => process.env["DOORWARD_TEST_WHOLE"] === "true";

/** Mulberry32: small, and good enough to choose with. */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    percent: (share) => below(100) < share,
    one: (list) => list[below(list.length)] as (typeof list)[number],
  };
}
