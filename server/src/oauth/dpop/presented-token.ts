import { OAuthError } from "../../base/oauth-error.ts";
import type { ActiveToken } from "../../domain/token/index.ts";
import type { WebRequest } from "../../web/index.ts";
import type { OAuthDeps } from "../deps.ts";
import { parseForm } from "../parameters.ts";

type Deps = Pick<OAuthDeps, "dpop" | "verifyAccessToken">;

/**
 * Returns the access token of a request, when its sender may use it: a bearer token, or a bound token together with the
 * proof of its key (RFC 9449 §7.1). A bound token as Bearer is invalid. Returns undefined for anything but an active
 * token of ours.
 */
export async function findPresentedToken(deps: Deps, request: WebRequest): Promise<ActiveToken | undefined> {
  const { call } = request;
  const { scheme, token } = readToken(request);
  if (scheme === "bearer") return deps.verifyAccessToken(call, token);
  const proof = request.header("dpop");
  if (proof === undefined) throw new OAuthError("invalid_dpop_proof", "the proof is missing");
  const url = request.instance.origin + request.path;
  const checked = await deps.dpop.check(call, { proof, method: request.method, url, accessToken: token });
  const active = await deps.verifyAccessToken(call, token, checked);
  if (active !== undefined) await checked.spend();
  return active;
}

// RFC 6750 §2.1 and §2.2. A token in the query (§2.3) is never accepted: it would appear in logs.
function readToken(request: WebRequest): { readonly scheme: string; readonly token: string } {
  const authorization = request.header("authorization");
  const inBody = request.method === "POST" && request.body !== "" ? readForm(request) : undefined;
  if (authorization === undefined && inBody === undefined) {
    throw new OAuthError("invalid_token", "an access token is needed");
  }
  if (authorization !== undefined && inBody !== undefined) {
    throw new OAuthError("invalid_request", "the access token is sent in more than one way");
  }
  if (authorization === undefined) return { scheme: "bearer", token: inBody ?? "" };
  const [, scheme = "", token] = /^(bearer|dpop) ([A-Za-z0-9\-._~+/]+=*)$/i.exec(authorization) ?? [];
  if (token === undefined) throw new OAuthError("invalid_token", "the access token is invalid, expired or revoked");
  return { scheme: scheme.toLowerCase(), token };
}

const readForm = (request: WebRequest): string | undefined =>
  parseForm(request.header("content-type"), request.body).get("access_token");
