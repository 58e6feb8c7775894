import { createHash, randomBytes } from "node:crypto";
import type { RequestParts } from "../load/request.ts";

/** A client and where its users are sent back to. */
export interface CodeClient {
  readonly clientId: string;
  readonly redirectUri: string;
  /** `Authorization` of the client. */
  readonly basic: string;
}

export interface Challenge {
  readonly codeVerifier: string;
  readonly codeChallenge: string;
}

/** A verifier and its S256 challenge (RFC 7636 §4). */
export function newChallenge(): Challenge {
  const codeVerifier = randomBytes(32).toString("base64url");
  return { codeVerifier, codeChallenge: createHash("sha256").update(codeVerifier).digest("base64url") };
}

/** The token request that redeems a code. */
export const redeem = (
  path: string,
  client: CodeClient,
  { code, codeVerifier }: { readonly code: string; readonly codeVerifier: string },
): RequestParts => ({
  method: "POST",
  path,
  authorization: client.basic,
  form: { grant_type: "authorization_code", code, redirect_uri: client.redirectUri, code_verifier: codeVerifier },
});

/** The token request that rotates a refresh token. */
export const rotate = (path: string, client: CodeClient, refreshToken: string): RequestParts => ({
  method: "POST",
  path,
  authorization: client.basic,
  form: { grant_type: "refresh_token", refresh_token: refreshToken },
});

/** A member of a token answer. */
export function memberOf(body: string, name: string): string {
  const value = (JSON.parse(body) as Record<string, unknown>)[name];
  if (typeof value !== "string") throw new Error(`no ${name} in ${body}`);
  return value;
}
