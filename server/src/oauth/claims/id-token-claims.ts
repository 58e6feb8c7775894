import { toNumericDate } from "../../base/clock.ts";
import { leftHalfHash } from "../../base/jose/index.ts";
import type { IssuedTokens } from "../../domain/token/index.ts";
import { formatIdTokenReference } from "../id-token-reference.ts";

export interface IdTokenContent {
  readonly issuer: string;
  readonly issued: Pick<IssuedTokens, "family" | "format" | "tokenId" | "issuedAt">;
  readonly audience: readonly string[];
  /** Milliseconds. */
  readonly lifetime: number;
  /** The access token that is issued alongside, to bind it by `at_hash`. */
  readonly accessToken: string | undefined;
  /** Algorithm of the signature, which determines the hash of `at_hash`. */
  readonly algorithm: string;
  readonly extra: Readonly<Record<string, unknown>>;
}

/**
 * Returns the claims of an ID token (OpenID Connect Core §2, §3.1.3.6). `aud` always contains the client, and `azp`
 * names it. `jti` leads to what the token stands for.
 */
export function idTokenClaims(content: IdTokenContent): Record<string, unknown> {
  const { family, issuedAt } = content.issued;
  return {
    ...content.extra,
    iss: content.issuer,
    sub: family.userId ?? family.clientId,
    aud: content.audience.includes(family.clientId) ? content.audience : [family.clientId, ...content.audience],
    exp: toNumericDate(issuedAt + content.lifetime),
    iat: toNumericDate(issuedAt),
    jti: formatIdTokenReference(content.issued),
    azp: family.clientId,
    ...(family.authTime !== undefined && { auth_time: toNumericDate(family.authTime) }),
    ...(family.nonce !== undefined && { nonce: family.nonce }),
    ...(family.acr !== undefined && { acr: family.acr }),
    ...(family.authenticationMethods.length > 0 && { amr: family.authenticationMethods }),
    ...(family.sessionId !== undefined && { sid: family.sessionId }),
    ...(family.actor && { act: family.actor }),
    ...(content.accessToken !== undefined && { at_hash: leftHalfHash(content.accessToken, content.algorithm) }),
  };
}
