import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { extname } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { lazy } from "../base/lazy.ts";
import { type Href, href } from "../html/index.ts";

/** A file that browsers may cache forever, because its name changes with its content. */
export interface Asset {
  readonly type: string;
  readonly etag: string;
  readonly body: Buffer;
  /** Returns the compressed body, which is computed once on first use. */
  brotli(): Buffer;
  gzip(): Buffer;
}

export interface Assets {
  /** Returns the address of a file by its name in `login/assets`. Throws for an unknown name. */
  href(name: string): Href;
  /** Returns the file of a path, for the server. */
  find(path: string): Asset | undefined;
}

/** Header of every response with an asset. */
export const assetCacheControl = "public, max-age=31536000, immutable";

const types: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};
const home = new URL("assets/", import.meta.resolve("@doorward/login/package.json"));

/**
 * Returns style sheet, browser modules and icon, which are read once in a process. They are plain CSS and JavaScript
 * without imports, so there is no build: comments are removed from the style sheet, and the rest is left to
 * compression.
 */
export const loadAssets: () => Assets = lazy(readAssets);

function readAssets(): Assets {
  const addresses = new Map<string, Href>();
  const assets = new Map<string, Asset>();
  for (const name of readdirSync(home)) {
    const extension = extname(name);
    const type = types[extension];
    if (type === undefined) continue;
    const content = readFileSync(new URL(name, home), "utf8");
    const body = Buffer.from(extension === ".css" ? shorten(content) : content);
    const hash = createHash("sha256").update(body).digest("base64url").slice(0, 12);
    const path = `/ui/assets/${name.slice(0, -extension.length)}.${hash}${extension}`;
    addresses.set(name, href(path));
    const brotli = lazy(() => brotliCompressSync(body));
    const gzip = lazy(() => gzipSync(body));
    assets.set(path, { type, etag: `"${hash}"`, body, brotli, gzip });
  }
  return {
    href: (name) => addresses.get(name) ?? missing(name),
    find: (path) => assets.get(path),
  };
}

// Shortens CSS as far as possible without a parser. Strings in ours contain neither comments nor punctuation.
const shorten = (css: string): string =>
  css
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/\s+/g, " ")
    .replace(/ ?([{};,]) ?/g, "$1")
    .replace(/: /g, ":")
    .replace(/;\}/g, "}")
    .replace(/\b0\./g, ".")
    .trim();

function missing(name: string): never {
  throw new Error(`login/assets has no file ${name}`);
}
