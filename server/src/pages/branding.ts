import { assetHeaders, type WebHandler, type WebRequest, type WebResponse, type WebRoute } from "../web/index.ts";
import { assetCacheControl } from "./assets.ts";
import type { PageDeps } from "./deps.ts";

type Deps = Pick<PageDeps, "findSharedBrandingFile" | "findBrand">;

/**
 * Serves pictures, fonts and style sheets of brandings to any caller: pages, mails and other sites show them. Each is
 * named by the hash of its content and cached forever.
 */
export const createBrandingRoute = (deps: Deps): WebRoute => ({
  methods: ["GET"],
  path: "/branding/:file",
  protocol: "plain",
  isOpenToOrigins: true,
  handler: answerFile(deps),
});

const answerFile =
  (deps: Deps): WebHandler =>
  async (request) => {
    const name = request.pathVariables["file"] ?? "";
    const isStyle = /^[\w-]{22}\.css$/.test(name);
    if (!isStyle && !/^[\w-]{43}\.[a-z0-9]{3,5}$/.test(name)) return absentFile(request);
    if (isStyle) return answerStyle(deps, request, name);
    // The name identifies the content, so a browser that has it needs no new copy.
    if (request.header("if-none-match") === `"${name}"`) return { status: 304, headers: keptForEver(request, name) };
    const file = await deps.findSharedBrandingFile(request.call.instanceId, name);
    if (file === undefined) return absentFile(request);
    return {
      status: 200,
      headers: { ...keptForEver(request, name), "content-type": file.contentType },
      body: file.bytes,
    };
  };

// A page from before a change of the branding requests a style sheet that no longer exists. It gets the current one,
// and does not cache it.
async function answerStyle(deps: Deps, request: WebRequest, name: string): Promise<WebResponse> {
  const of = new URLSearchParams(request.query).get("of") ?? undefined;
  const { style } = await deps.findBrand(request.call.instanceId, of);
  if (style === undefined) return absentFile(request);
  const isNamed = name === `${style.hash}.css`;
  const headers = isNamed ? keptForEver(request, name) : { ...secure(request), "cache-control": "no-store" };
  if (isNamed && request.header("if-none-match") === `"${name}"`) return { status: 304, headers };
  return { status: 200, headers: { ...headers, "content-type": "text/css; charset=utf-8" }, body: style.css };
}

/** The response for a file that does not exist, or must appear not to. */
export const absentFile = (request: WebRequest): WebResponse => ({
  status: 404,
  headers: { ...secure(request), "cache-control": "no-store" },
});

/** Headers of a file with content that never changes under its name. */
export const keptForEver = (request: WebRequest, name: string) => ({
  ...secure(request),
  "cache-control": assetCacheControl,
  etag: `"${name}"`,
});

// Web mail and custom logins show these files too.
const secure = ({ instance }: WebRequest): Record<string, string> => ({
  ...assetHeaders(instance.origin.startsWith("https:")),
  "cross-origin-resource-policy": "cross-origin",
});
