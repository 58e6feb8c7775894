import { createHash, randomUUID } from "node:crypto";
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";
import type { OidcServer } from "./oidc.ts";

/** A client's key, and the proofs that are made with it. */
export interface ProofKey {
  readonly thumbprint: string;
  readonly jwk: JWK;
  readonly privateKey: CryptoKey;
}

/** What a proof is for. Everything can be changed for the worse. */
export interface ProofOptions {
  readonly method?: string;
  /** Path at the server, or a whole address. */
  readonly path: string;
  readonly accessToken?: string;
  readonly nonce?: string;
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly header?: Readonly<Record<string, unknown>>;
}

export async function makeProofKey(algorithm = "ES256"): Promise<ProofKey> {
  const { privateKey, publicKey } = await generateKeyPair(algorithm, { extractable: true });
  const jwk = await exportJWK(publicKey);
  return { jwk, privateKey, thumbprint: await calculateJwkThumbprint(jwk) };
}

/** A proof (RFC 9449 §4.2), by the clock of the server. */
export async function makeProof(
  { clock, origin }: Pick<OidcServer, "clock" | "origin">,
  key: ProofKey,
  options: ProofOptions,
  algorithm = "ES256",
): Promise<string> {
  const { method = "POST", path, accessToken, nonce, claims, header } = options;
  const all = {
    htm: method,
    htu: path.startsWith("/") ? origin + path : path,
    iat: Math.floor(clock.now / 1000),
    jti: randomUUID(),
    ...(nonce !== undefined && { nonce }),
    ...(accessToken !== undefined && { ath: createHash("sha256").update(accessToken).digest("base64url") }),
    ...claims,
  };
  return new SignJWT(all)
    .setProtectedHeader({ alg: algorithm, typ: "dpop+jwt", jwk: key.jwk, ...header })
    .sign(key.privateKey);
}

/** The nonce that the server wants at the moment. */
export async function fetchNonce(server: OidcServer, key: ProofKey): Promise<string> {
  const proof = await makeProof(server, key, { path: "/oauth/v2/token" });
  const answer = await server.form(
    "/oauth/v2/token",
    { grant_type: "refresh_token", refresh_token: "x" },
    { dpop: proof },
  );
  return answer.headers.get("dpop-nonce") ?? "";
}
