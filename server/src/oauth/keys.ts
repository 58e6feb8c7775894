import type { WebHandler } from "../web/index.ts";
import type { OAuthDeps } from "./deps.ts";

/** Creates the key set endpoint (RFC 7517): prebuilt, with an ETag; 304 when the caller has the current version. */
export function createKeysEndpoint(deps: Pick<OAuthDeps, "keyRing">): WebHandler {
  return async (request) => {
    const { keySet } = await deps.keyRing(request.call.instanceId);
    const { body, etag } = keySet;
    const headers = {
      "content-type": "application/json",
      "cache-control": "public, max-age=300, must-revalidate",
      "x-content-type-options": "nosniff",
      etag,
    };
    const isKnown = request
      .header("if-none-match")
      ?.split(",")
      .some((tag) => tag.trim().replace(/^W\//, "") === etag);
    return isKnown === true ? { status: 304, headers } : { status: 200, headers, body };
  };
}
