import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { FileResult } from "./file-result.ts";

const recordedTimes = join(import.meta.dirname, "times.json");
const lastTimes = "node_modules/.cache/doorward-test-times.json";

/**
 * Milliseconds of each test file that took long when the times were written down (`npm test -- --record`); part of the
 * repository.
 */
export const readRecordedTimes = (): ReadonlyMap<string, number> => read(recordedTimes);

/**
 * Milliseconds of each test file in the last run on this machine; those of the repository for files that have not run
 * here.
 */
export const readLastTimes = (): ReadonlyMap<string, number> => new Map([...read(recordedTimes), ...read(lastTimes)]);

/** Remembers what the files of this run took. */
export function keepTimes(results: readonly FileResult[]): void {
  const times = new Map([...read(lastTimes), ...timesOf(results)]);
  mkdirSync(dirname(lastTimes), { recursive: true });
  writeFileSync(lastTimes, JSON.stringify(Object.fromEntries(times)));
}

/** Writes the times of this run into the repository. */
export function recordTimes(results: readonly FileResult[]): void {
  const times = timesToRecord(read(recordedTimes), results, existsSync);
  writeFileSync(recordedTimes, `${JSON.stringify(times, undefined, 2)}\n`);
}

/**
 * Returns the times that the repository has after a run: only files of more than four seconds, in whole seconds, so
 * that they seldom change. Files that the run left out keep theirs while they are there.
 */
export function timesToRecord(
  earlier: ReadonlyMap<string, number>,
  results: readonly FileResult[],
  isThere: (file: string) => boolean,
): Readonly<Record<string, number>> {
  const kept = [...earlier].filter(([file]) => isThere(file));
  const long = [...new Map([...kept, ...timesOf(results)])]
    .filter(([, milliseconds]) => milliseconds > 4000)
    .map(([file, milliseconds]): [string, number] => [file, Math.round(milliseconds / 1000) * 1000])
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(long);
}

const timesOf = (results: readonly FileResult[]): [string, number][] =>
  results.map(({ file, milliseconds }) => [file, Math.round(milliseconds)]);

function read(path: string): Map<string, number> {
  try {
    return new Map(Object.entries(JSON.parse(readFileSync(path, "utf8")) as Record<string, number>));
  } catch {
    return new Map();
  }
}
