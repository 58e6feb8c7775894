import { posix } from "node:path";

/** Which files and folders there are. */
export interface FileIndex {
  has(path: string): boolean;
  /** Whether anything matches a path with `*`, `**` and `{a,b}`. */
  hasMatch(pattern: string): boolean;
  /** Whether the folder has, at any depth, a path that ends so. */
  hasBelow(folder: string, end: string): boolean;
  /** Names of what is directly in a folder; `""` is the repository. */
  namesIn(folder: string): ReadonlySet<string>;
}

/** Indexes a list of files; their folders come of themselves. */
export function createFileIndex(files: readonly string[]): FileIndex {
  const all = new Set<string>(files);
  for (const file of files) {
    for (let folder = posix.dirname(file); folder !== "."; folder = posix.dirname(folder)) all.add(folder);
  }
  const byName = Map.groupBy(all, (path) => posix.basename(path));
  const byFolder = new Map<string, Set<string>>();
  for (const path of all) {
    const folder = posix.dirname(path) === "." ? "" : posix.dirname(path);
    byFolder.set(folder, (byFolder.get(folder) ?? new Set<string>()).add(posix.basename(path)));
  }
  const matches = new Map<string, boolean>();
  const matchAny = (pattern: string): boolean => [...all].some((path) => posix.matchesGlob(path, pattern));
  return {
    has: (path) => all.has(path),
    hasMatch: (pattern) => {
      const known = matches.get(pattern) ?? matchAny(pattern);
      matches.set(pattern, known);
      return known;
    },
    hasBelow: (folder, end) => {
      const root = folder === "" ? "" : `${folder}/`;
      return (byName.get(posix.basename(end)) ?? []).some(
        (path) => path.startsWith(root) && (path === root + end || path.endsWith(`/${end}`)),
      );
    },
    namesIn: (folder) => byFolder.get(folder) ?? new Set(),
  };
}

/** The folder of a file and those above it, the nearest first; `""` is the repository. */
export function foldersAbove(file: string): string[] {
  const folders: string[] = [];
  for (let folder = posix.dirname(file); folder !== "."; folder = posix.dirname(folder)) folders.push(folder);
  return [...folders, ""];
}
