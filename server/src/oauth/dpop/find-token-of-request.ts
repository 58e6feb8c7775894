import { OAuthError } from "../../base/oauth-error.ts";
import { type BearerDeps, findPresentedToken, readTokenHeader, type VerifiedToken } from "../../bearer/index.ts";
import type { WebRequest } from "../../web/index.ts";
import { parseForm } from "../parameters.ts";

/**
 * Returns the access token of a request, when its sender may use it. Returns undefined for anything but an active token
 * of ours.
 */
export async function findTokenOfRequest(deps: BearerDeps, request: WebRequest): Promise<VerifiedToken | undefined> {
  const { call, method, path } = request;
  const { scheme, token } = readToken(request);
  if (scheme === "bearer") return findPresentedToken(deps, call, { token });
  const proof = request.header("dpop");
  if (proof === undefined) throw new OAuthError("invalid_dpop_proof", "the proof is missing");
  return findPresentedToken(deps, call, { token, proof: { proof, method, path } });
}

// RFC 6750 §2.1 and §2.2. A token in the query (§2.3) is never accepted: it would appear in logs.
function readToken(request: WebRequest): { readonly scheme: "bearer" | "dpop"; readonly token: string } {
  const authorization = request.header("authorization");
  const inBody = request.method === "POST" && request.body !== "" ? readForm(request) : undefined;
  if (authorization === undefined && inBody === undefined) {
    throw new OAuthError("invalid_token", "an access token is needed");
  }
  if (authorization !== undefined && inBody !== undefined) {
    throw new OAuthError("invalid_request", "the access token is sent in more than one way");
  }
  if (authorization === undefined) return { scheme: "bearer", token: inBody ?? "" };
  const header = readTokenHeader(authorization);
  if (header === undefined) throw new OAuthError("invalid_token", "the access token is invalid, expired or revoked");
  return header;
}

const readForm = (request: WebRequest): string | undefined =>
  parseForm(request.header("content-type"), request.body).get("access_token");
