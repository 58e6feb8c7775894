import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { listFiles } from "./files.ts";

// What checks found in order stays known until something changes that their verdict depends on: the files that they
// judge, the rules, the installed packages, Node.js. Only success is remembered, so a violation is found again in every
// run.

/** What one check remembers: fingerprints, each with a note. */
export interface Memory {
  readonly get: (print: string) => string | undefined;
  /** Replaces all that was remembered. */
  readonly keep: (notes: ReadonlyMap<string, string>) => void;
}

/** Where checks keep what they remember. It is never committed, and removing it costs time only. */
export const memoryFolder = (root: string): string => join(root, "node_modules/.cache/doorward");

/** SHA-256 over texts. Each is preceded by its length, so that no two lists look the same. */
export function fingerprint(texts: Iterable<string | Buffer>): string {
  const hash = createHash("sha256");
  for (const text of texts) hash.update(`${Buffer.byteLength(text)}:`).update(text);
  return hash.digest("base64url");
}

/** Fingerprint of files below `root`, with their paths. */
export function fingerprintFiles(root: string, paths: readonly string[]): string {
  return fingerprint(paths.flatMap((path) => [path, readFileSync(join(root, path))]));
}

/**
 * Fingerprint of what every check depends on: the sources of the checks, the packages that npm says it installed, and
 * Node.js. Undefined when npm left no list of packages. Checks then remember nothing.
 */
export function fingerprintRules(root: string, sources = import.meta.dirname): string | undefined {
  const installed = join(root, "node_modules/.package-lock.json");
  if (!existsSync(installed)) return undefined;
  const rules = listFiles(sources, "**/*.{ts,js,cjs,json}").filter((path) => !path.startsWith("test/"));
  return fingerprint([fingerprintFiles(sources, rules), readFileSync(installed), process.version]);
}

/**
 * Opens what a check remembers under these rules: nothing, when the rules differ or are unknown or the file is invalid.
 */
export function openMemory(root: string, check: string, rules: string | undefined): Memory {
  if (rules === undefined) return { get: () => undefined, keep: () => undefined };
  const path = join(memoryFolder(root), `${check}.json`);
  const known = readNotes(path, rules);
  return {
    get: (print) => known.get(print),
    keep: (notes) => {
      mkdirSync(memoryFolder(root), { recursive: true });
      // Renamed into place, so that a run beside this one never reads half a file.
      const draft = `${path}.${process.pid}`;
      writeFileSync(draft, JSON.stringify({ rules, notes: [...notes] }));
      renameSync(draft, path);
    },
  };
}

function readNotes(path: string, rules: string): ReadonlyMap<string, string> {
  try {
    const kept = JSON.parse(readFileSync(path, "utf8")) as { rules: string; notes: [string, string][] };
    return kept.rules === rules ? new Map(kept.notes) : new Map();
  } catch {
    return new Map();
  }
}
