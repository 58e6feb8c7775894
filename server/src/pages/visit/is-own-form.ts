import type { WebRequest } from "../../web/index.ts";

/**
 * Whether a POST comes from one of our own pages, according to the browser (Fetch Metadata, RFC 6454). A browser that
 * sends no origin is accepted here: its form still has to contain the token.
 */
export function isOwnForm(request: WebRequest): boolean {
  const site = request.header("sec-fetch-site");
  if (site !== undefined && site !== "same-origin" && site !== "none") return false;
  const origin = request.header("origin");
  if (origin === undefined) return true;
  // The host was already resolved to the instance; an instance may have several.
  return origin === request.instance.origin || URL.parse(origin)?.host === request.header("host");
}
