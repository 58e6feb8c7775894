import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";

interface Chunk {
  readonly file: string;
  readonly css?: readonly string[];
  readonly imports?: readonly string[];
  readonly isDynamicEntry?: boolean;
}

const dist = join(import.meta.dirname, "../../console/dist");
const manifest = JSON.parse(readFileSync(join(dist, ".vite/manifest.json"), "utf8")) as Readonly<Record<string, Chunk>>;

const sizeOf = (file: string): number => gzipSync(readFileSync(join(dist, file)), { level: 9 }).length;

/** Returns the chunks that load with one, itself included, without those that are loaded already. */
function loadedWith(name: string, loaded: ReadonlySet<string> = new Set(), found = new Set<string>()): Set<string> {
  if (loaded.has(name) || found.has(name)) return found;
  found.add(name);
  for (const other of manifest[name]?.imports ?? []) loadedWith(other, loaded, found);
  return found;
}

const kilobytes = (names: ReadonlySet<string>): number =>
  [...names].reduce((sum, name) => sum + sizeOf(manifest[name]?.file ?? ""), 0) / 1000;

test("the first load of the console is at most 220 kB of scripts and 15 kB of style, compressed", () => {
  const first = loadedWith("src/main.tsx");
  assert.ok(first.size > 1, "the build divides the console into chunks");
  const texts = Object.keys(manifest).find((name) => manifest[name]?.file.includes("/texts-en-")) ?? "";
  const scripts = kilobytes(new Set([...first, texts]));
  assert.ok(scripts <= 220, `${scripts} kB`);
  const styles = [...first].flatMap((name) => manifest[name]?.css ?? []);
  const style = styles.reduce((sum, file) => sum + sizeOf(file), 0) / 1000;
  assert.ok(style > 1 && style <= 15, `${style} kB`);
});

test("each page of the console is at most 60 kB more, compressed", () => {
  const first = loadedWith("src/main.tsx");
  const pages = Object.entries(manifest).filter(
    ([name, chunk]) => chunk.isDynamicEntry && name.startsWith("src/pages/"),
  );
  assert.ok(pages.length > 20, `${pages.length} pages`);
  const large = pages
    .map(([name]) => [name, kilobytes(loadedWith(name, first))] as const)
    .filter(([, size]) => size > 60);
  assert.deepEqual(large, []);
});
