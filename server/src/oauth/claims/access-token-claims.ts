import { toNumericDate } from "../../base/clock.ts";
import type { IssuedTokens } from "../../domain/token/index.ts";

/**
 * Returns the claims of a JWT access token (RFC 9068 §2.2). It never contains claims about the user, but may contain
 * roles and reserved claims.
 */
export function accessTokenClaims(
  issuer: string,
  issued: IssuedTokens,
  extra: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const { family } = issued;
  return {
    ...extra,
    iss: issuer,
    sub: family.userId ?? family.clientId,
    aud: issued.audience,
    exp: toNumericDate(issued.expiresAt),
    iat: toNumericDate(issued.issuedAt),
    nbf: toNumericDate(issued.issuedAt),
    jti: issued.tokenId,
    client_id: family.clientId,
    // RFC 6749 §3.3: a scope has at least one word.
    ...(issued.scope !== "" && { scope: issued.scope }),
    ...(family.authTime !== undefined && { auth_time: toNumericDate(family.authTime) }),
    ...(family.acr !== undefined && { acr: family.acr }),
    ...(family.actor && { act: family.actor }),
    ...(issued.keyThumbprint !== undefined && { cnf: { jkt: issued.keyThumbprint } }),
  };
}
