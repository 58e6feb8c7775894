import type { Entry } from "./imported.ts";

// They wait for one write to the disk together. More would keep the callers of others waiting.
const mostSideBySide = 16;
// They are one unit of work, and cost about as much as the others.
const mostTogether = 64;

/**
 * Divides a list into portions that are performed one after another, the entries of each side by side. What takes the
 * same name comes one after another, so that the first in the data has it.
 */
export function* portionsOf(entries: readonly Entry[]): Generator<readonly Entry[]> {
  let portion: Entry[] = [];
  let taken = new Set<string>();
  let areTogether = false;
  for (const entry of entries) {
    const { takes } = entry;
    const isTogether = entry.person !== undefined;
    const fits =
      takes !== undefined &&
      isTogether === areTogether &&
      portion.length < (isTogether ? mostTogether : mostSideBySide) &&
      !takes.some((name) => taken.has(name));
    if (!fits && portion.length > 0) {
      yield portion;
      [portion, taken] = [[], new Set()];
    }
    if (takes === undefined) {
      yield [entry];
      continue;
    }
    portion.push(entry);
    areTogether = isTogether;
    for (const name of takes) taken.add(name);
  }
  if (portion.length > 0) yield portion;
}

/** Performs what is left of entries that are performed together, a few side by side. */
export async function inPortions<Entry>(entries: readonly Entry[], perform: (entry: Entry) => Promise<void>) {
  for (let begin = 0; begin < entries.length; begin += mostSideBySide) {
    await Promise.all(entries.slice(begin, begin + mostSideBySide).map(perform));
  }
}
