import { seconds } from "../../base/clock.ts";
import type { OnProgress } from "../../domain/transfer/index.ts";
import { tell } from "../command-context.ts";
import { printable } from "../printable.ts";

/** Tells the user once a second how far the work is. */
export function createProgress(verb: string): OnProgress {
  let told = performance.now();
  return ({ table, done, total }) => {
    if (performance.now() - told < seconds(1)) return;
    told = performance.now();
    tell(`${verb} ${count(done)} of ${count(total)} rows (${printable(table)})`);
  };
}

/** Writes a number as English does. */
export const count = (value: number): string => value.toLocaleString("en");
