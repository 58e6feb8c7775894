import type { FamilyFixtures } from "./family-fixtures.ts";
import type { FamilyModel } from "./family-model.ts";

/** A step: `pick` finds its subject by the model (undefined: not now), `run` does it on both sides and compares. */
export interface Step {
  readonly name: string;
  /** How often it is chosen, compared with the others. */
  readonly weight: number;
  pick(model: Readonly<FamilyModel>, choice: number): number | undefined;
  run(model: FamilyModel, fixtures: FamilyFixtures, subject: number, node: number): Promise<void>;
}

/** One of the indices. */
export const anyOf = (list: readonly number[], choice: number): number | undefined => list[choice % list.length];

export const indices = <Item>(list: readonly Item[], fits: (item: Item, index: number) => boolean): number[] =>
  list.flatMap((item, index) => (fits(item, index) ? [index] : []));

/** One of the indices; in two of three cases one of those that are still good for something, when there are any. */
export function mostlyLive(
  list: readonly number[],
  choice: number,
  isLive: (index: number) => boolean,
): number | undefined {
  const live = list.filter(isLive);
  return anyOf(choice % 3 === 0 || live.length === 0 ? list : live, Math.floor(choice / 3));
}
