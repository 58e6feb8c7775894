import type { WebRequest } from "../../web/index.ts";

/**
 * Whether a post comes from one of our own pages, as far as the browser says where it comes from (Fetch Metadata, RFC 6454). A browser that says
 * nothing is believed here: its form still has to carry the token.
 */
export function isOwnForm(request: WebRequest): boolean {
  const site = request.header("sec-fetch-site");
  if (site !== undefined && site !== "same-origin" && site !== "none") return false;
  const origin = request.header("origin");
  if (origin === undefined) return true;
  // The host was resolved to the instance already; an instance may be reached by several.
  return origin === request.instance.origin || URL.parse(origin)?.host === request.header("host");
}
