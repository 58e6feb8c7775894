import { hash } from "node:crypto";
import { gzipSync } from "node:zlib";
import type { ContractReference, ReferenceLibrary } from "../../api/index.ts";
import { lazy } from "../../base/lazy.ts";
import { type Href, href } from "../../html/index.ts";
import { assetHeaders, type WebHandler } from "../../web/index.ts";
import { accepts } from "../accepts-encoding.ts";
import { assetCacheControl } from "../assets.ts";
import { guideHref, indexPath } from "./addresses.ts";
import { guides, partNames } from "./guides/guides.ts";

interface SearchFile {
  readonly href: Href;
  readonly body: Buffer;
  readonly gzip: () => Buffer;
}

// One for each state of the contract: all servers of a process have the same.
let latest: { readonly version: string; readonly file: SearchFile } | undefined;

/** Returns the file that the search looks in: the contract's index, and the guides. */
function searchFileOf(reference: ContractReference): SearchFile {
  if (latest?.version === reference.version) return latest.file;
  const pages = [
    ...guides.map(({ name, title, part, lead }) => [title, guideHref(name), partNames[part], lead]),
    ["Errors", guideHref("errors"), partNames.start, "What any method can be refused with."],
  ];
  const body = Buffer.from(JSON.stringify({ ...reference.searchIndex(), pages }));
  const name = hash("sha256", body, "base64url").slice(0, 16);
  const file = { href: href(`${indexPath}/${name}.json`), body, gzip: lazy(() => gzipSync(body)) };
  latest = { version: reference.version, file };
  return file;
}

/** Returns the address of the search file. It changes with the content. */
export const searchHrefOf = (reference: ContractReference): Href => searchFileOf(reference).href;

/** Answers `/docs/index/<hash>.json`, which browsers may keep forever, and `/docs/index/latest.json`. */
export const createSearchHandler =
  (library: ReferenceLibrary): WebHandler =>
  async (request) => {
    const file = searchFileOf(await library.open());
    const isLatest = request.path === `${indexPath}/latest.json`;
    const security = assetHeaders(request.instance.origin.startsWith("https:"));
    if (!isLatest && request.path !== file.href) {
      return { status: 404, headers: { ...security, "cache-control": "no-store" } };
    }
    const etag = `"${file.href.slice(indexPath.length + 1, -".json".length)}"`;
    const cacheControl = isLatest ? "no-cache" : assetCacheControl;
    const headers = { ...security, etag, "cache-control": cacheControl, vary: "accept-encoding" };
    if (request.header("if-none-match") === etag) return { status: 304, headers };
    const typed = { ...headers, "content-type": "application/json" };
    return accepts(request.header("accept-encoding"), "gzip")
      ? { status: 200, headers: { ...typed, "content-encoding": "gzip" }, body: file.gzip() }
      : { status: 200, headers: typed, body: file.body };
  };
