import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync, constants as zlib } from "node:zlib";
import { lazy } from "../../base/lazy.ts";
import { type Href, href } from "../../html/index.ts";
import type { Asset } from "../assets.ts";

/** What the build made of the console. */
export interface BuiltConsole {
  /** The module that starts it, and those that it imports. */
  readonly entry: Href;
  readonly imports: readonly Href[];
  readonly styles: readonly Href[];
  /** Returns the file of a path: one that was there when the console was read. */
  find(path: string): Asset | undefined;
}

/** Returns the console's files, which are read once; undefined as long as it was not built. */
export type LoadConsole = () => BuiltConsole | undefined;

/** The files of the build are below it. */
export const assetsPath = "/ui/console/assets/";

/** An entry of the manifest that Vite writes; names of other entries are in `imports`, files in the rest. */
interface Chunk {
  readonly file: string;
  readonly css?: readonly string[];
  readonly imports?: readonly string[];
}

const base = "/ui/console/";
const entryModule = "src/main.tsx";

const types: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

/** Creates the reader of the build in a directory; in that of the console's package by default. */
export function createLoadConsole(directory?: string): LoadConsole {
  if (directory === undefined) return loadOwnBuild;
  return createReader(() => directory);
}

function createReader(find: () => string | undefined): LoadConsole {
  let loaded: BuiltConsole | undefined;
  return () => {
    loaded ??= readConsole(find());
    return loaded;
  };
}

// Read once in a process, however many servers it has.
const loadOwnBuild = createReader(findBuild);

function findBuild(): string | undefined {
  try {
    return join(dirname(fileURLToPath(import.meta.resolve("@doorward/console/package.json"))), "dist");
  } catch {
    // An installation without the package has no console.
    return undefined;
  }
}

function readConsole(directory: string | undefined): BuiltConsole | undefined {
  const manifestFile = directory === undefined ? undefined : join(directory, ".vite", "manifest.json");
  if (directory === undefined || manifestFile === undefined || !existsSync(manifestFile)) return undefined;
  const manifest: Readonly<Record<string, Chunk>> = JSON.parse(readFileSync(manifestFile, "utf8"));
  const entry = manifest[entryModule];
  if (entry === undefined) throw new Error(`the console's manifest has no ${entryModule}`);
  const imported = importsOf(manifest, entry);
  const assets = readAssets(join(directory, "assets"));
  return {
    entry: href(base + entry.file),
    imports: imported.map(({ file }) => href(base + file)),
    styles: [...new Set([...imported, entry].flatMap(({ css = [] }) => css))].map((file) => href(base + file)),
    find: (path) => assets.get(path),
  };
}

/** Returns the chunks that are loaded with the entry, those that others import first. */
function importsOf(manifest: Readonly<Record<string, Chunk>>, entry: Chunk): Chunk[] {
  const found = new Set<Chunk>();
  const visited = new Set<Chunk>([entry]);
  const visit = ({ imports = [] }: Chunk): void => {
    for (const name of imports) {
      const chunk = manifest[name];
      if (chunk === undefined || visited.has(chunk)) continue;
      visited.add(chunk);
      visit(chunk);
      found.add(chunk);
    }
  };
  visit(entry);
  return [...found];
}

function readAssets(directory: string): ReadonlyMap<string, Asset> {
  const assets = new Map<string, Asset>();
  for (const name of readdirSync(directory)) {
    const type = types[extname(name)];
    if (type === undefined) continue;
    const body = readFileSync(join(directory, name));
    const hash = createHash("sha256").update(body).digest("base64url").slice(0, 12);
    const brotli = lazy(() => compress(body));
    const gzip = lazy(() => gzipSync(body));
    assets.set(assetsPath + name, { type, etag: `"${hash}"`, body, brotli, gzip });
  }
  return assets;
}

// Requests wait while a file is compressed. The highest quality takes 24 times as long for 7 % fewer bytes.
const quality = 8;

const compress = (body: Buffer): Buffer =>
  brotliCompressSync(body, {
    params: { [zlib.BROTLI_PARAM_QUALITY]: quality, [zlib.BROTLI_PARAM_SIZE_HINT]: body.length },
  });
