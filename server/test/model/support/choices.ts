import type { Chance } from "../../support/data/random.ts";

/** The index of one of a list, most of the time one that fits. */
export function choose(
  chance: Chance,
  count: number,
  fits: (index: number) => boolean = () => true,
): number | undefined {
  const all = Array.from({ length: count }, (_, index) => index);
  const fitting = all.filter(fits);
  const list = fitting.length > 0 && chance.percent(85) ? fitting : all;
  return list.length === 0 ? undefined : chance.one(list);
}

export const someKey = (chance: Chance): number | undefined =>
  chance.one([undefined, undefined, undefined, undefined, 0, 0, 1]);
export const someOf = <Item>(chance: Chance, list: readonly Item[], share: number): Item[] =>
  list.filter(() => chance.percent(share));
