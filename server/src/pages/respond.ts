import type { Language } from "../base/language.ts";
import { type Html, render } from "../html/index.ts";
import { assetHeaders, pageHeaders, type Relay, type Surface, type WebResponse, type WebRoute } from "../web/index.ts";
import { accepts } from "./accepts-encoding.ts";
import { type Asset, type Assets, assetCacheControl } from "./assets.ts";

export interface PageResponse {
  readonly page: Html;
  readonly language: Language;
  /** Public origin of the instance. */
  readonly origin: string;
  /** 200 by default. A form with errors is 200 too: password managers and back buttons treat it like any other page. */
  readonly status?: number;
  readonly surface?: Surface;
  readonly frameAncestors?: readonly string[];
  /** A form of the page redirects to another server. */
  readonly isLeaving?: boolean;
  /** The page only posts a form to an application. */
  readonly relay?: Relay;
  /** Further headers, such as `set-cookie`. */
  readonly headers?: WebResponse["headers"];
}

/** Returns the response for a page, with the headers of every page. */
export const respondWithPage = (response: PageResponse): WebResponse => ({
  status: response.status ?? 200,
  headers: {
    ...pageHeaders({
      surface: response.surface ?? "login",
      isHttps: isHttps(response.origin),
      frameAncestors: response.frameAncestors ?? [],
      isLeaving: response.isLeaving ?? false,
      ...(response.relay && { relay: response.relay }),
    }),
    ...response.headers,
    "content-type": "text/html; charset=utf-8",
    "content-language": response.language,
  },
  body: render(response.page),
});

/** Serves style sheet, browser modules and icon. */
export const createAssetRoute = (assets: Assets): WebRoute => ({
  ...assetRoute("/ui/assets/:file", (path) => assets.find(path)),
  answersWhenBlocked: true,
});

/** Returns the route of files that browsers may keep forever. */
export const assetRoute = (path: string, find: (path: string) => Asset | undefined): WebRoute => ({
  methods: ["GET"],
  path,
  protocol: "plain",
  handler: async (request) => {
    const asset = find(request.path);
    const security = assetHeaders(isHttps(request.instance.origin));
    // A file that does not exist may exist after an update, so its absence is not cached.
    if (asset === undefined) return { status: 404, headers: { ...security, "cache-control": "no-store" } };
    const headers = { ...security, etag: asset.etag, "cache-control": assetCacheControl, vary: "accept-encoding" };
    if (request.header("if-none-match") === asset.etag) return { status: 304, headers };
    const { encoding, body } = encoded(asset, request.header("accept-encoding") ?? "");
    return { status: 200, headers: { ...headers, "content-type": asset.type, ...encoding }, body };
  },
});

function encoded(asset: Asset, accepted: string): { encoding?: { "content-encoding": string }; body: Buffer } {
  if (accepts(accepted, "br")) return { encoding: { "content-encoding": "br" }, body: asset.brotli() };
  if (accepts(accepted, "gzip")) return { encoding: { "content-encoding": "gzip" }, body: asset.gzip() };
  return { body: asset.body };
}

const isHttps = (origin: string): boolean => origin.startsWith("https:");
