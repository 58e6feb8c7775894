import { OAuthError } from "../../base/oauth-error.ts";
import { type BearerDeps, findPresentedToken, type PresentedToken, type VerifiedToken } from "../../bearer/index.ts";
import type { WebRequest } from "../../web/index.ts";
import { parseForm } from "../parameters.ts";
import { readPresentedToken } from "./read-presented-token.ts";

/**
 * Returns the access token of a request, when its sender may use it. Returns undefined for anything but an active token
 * of ours.
 */
export async function findTokenOfRequest(deps: BearerDeps, request: WebRequest): Promise<VerifiedToken | undefined> {
  return findPresentedToken(deps, request.call, readToken(request));
}

// RFC 6750 §2.1 and §2.2. A token in the query (§2.3) is never accepted: it would appear in logs.
function readToken(request: WebRequest): PresentedToken {
  const authorization = request.header("authorization");
  const inBody = request.method === "POST" && request.body !== "" ? readForm(request) : undefined;
  if (authorization === undefined && inBody === undefined) {
    throw new OAuthError("invalid_token", "an access token is needed");
  }
  if (authorization !== undefined && inBody !== undefined) {
    throw new OAuthError("invalid_request", "the access token is sent in more than one way");
  }
  return authorization === undefined ? { token: inBody ?? "" } : readPresentedToken(request, authorization);
}

const readForm = (request: WebRequest): string | undefined =>
  parseForm(request.header("content-type"), request.body).get("access_token");
