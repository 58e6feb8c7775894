import type { Entry } from "./imported.ts";

// They wait for one write to the disk together. More would keep the callers of others waiting.
const mostSideBySide = 16;

/**
 * Divides a list into portions that are performed one after another, the entries of each side by side. What takes the
 * same name comes one after another, so that the first in the data has it.
 */
export function* portionsOf(entries: readonly Entry[]): Generator<readonly Entry[]> {
  let portion: Entry[] = [];
  let taken = new Set<string>();
  for (const entry of entries) {
    const { takes } = entry;
    const fits = takes !== undefined && portion.length < mostSideBySide && !takes.some((name) => taken.has(name));
    if (!fits && portion.length > 0) {
      yield portion;
      [portion, taken] = [[], new Set()];
    }
    if (takes === undefined) {
      yield [entry];
      continue;
    }
    portion.push(entry);
    for (const name of takes) taken.add(name);
  }
  if (portion.length > 0) yield portion;
}
