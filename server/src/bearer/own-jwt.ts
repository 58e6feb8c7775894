import { JwtRefused, type OwnClaims, type OwnJwtRules, verifyOwnJwt } from "../base/jose/index.ts";
import type { KeyRing } from "../domain/signing-key/index.ts";

interface Keys {
  readonly keyRing: KeyRing;
}

interface Issuer {
  readonly instanceId: string;
  readonly issuer: string;
}

/**
 * Returns the `jti` of an unexpired JWT access token of ours; undefined for any other text. Does not check revocation,
 * which only storage knows.
 */
export async function readJwtId(keys: Keys, issuer: Issuer, token: string, now: number): Promise<string | undefined> {
  const claims = await readAccessTokenClaims(keys, issuer, token, now);
  const jti = claims?.["jti"];
  return typeof jti === "string" ? jti : undefined;
}

/** Returns the claims of an unexpired JWT access token of ours; undefined for any other text. */
export function readAccessTokenClaims(
  keys: Keys,
  issuer: Issuer,
  token: string,
  now: number,
): Promise<OwnClaims | undefined> {
  return readOwnJwt(keys, issuer, token, { type: "at+jwt", aliveAt: now });
}

/**
 * Returns the claims of a JWT that an instance of ours signed, of the type that is expected; undefined for any other
 * text.
 */
export async function readOwnJwt(
  { keyRing }: Keys,
  { instanceId, issuer }: Issuer,
  token: string,
  rules: Pick<OwnJwtRules, "type" | "aliveAt">,
): Promise<OwnClaims | undefined> {
  // Opaque tokens arrive here as well; dots distinguish a JWT from them.
  if (!token.includes(".")) return undefined;
  const { verificationKeys } = await keyRing(instanceId);
  try {
    return verifyOwnJwt(token, { ...rules, keys: verificationKeys, issuer });
  } catch (error) {
    if (error instanceof JwtRefused) return undefined;
    throw error;
  }
}
