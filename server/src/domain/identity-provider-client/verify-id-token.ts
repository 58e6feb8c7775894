import { type Instant, seconds } from "../../base/clock.ts";
import { leftHalfHash, type PublishedKeys } from "../../base/jose/index.ts";
import { equalInConstantTime, type Secret } from "../../base/secret.ts";
import { type ProvenToken, proveToken, type SignedBy } from "./prove-token.ts";
import { ProviderRefused } from "./provider-refused.ts";

/** What an id token of a provider must satisfy. */
export interface IdTokenRules extends SignedBy {
  /** Undefined when the token does not answer a request of ours. */
  readonly nonce: string | undefined;
  /** The access token that was issued with it, if any. */
  readonly accessToken?: Secret | undefined;
  /** The user must have authenticated since this instant, if the token says when that was. */
  readonly authenticatedSince?: Instant | undefined;
}

/** Maximum age of a token: it was issued for this sign-in. */
const maxAgeSeconds = 600;
/** Tolerated difference between the provider's clock and ours. */
const clockSkew = seconds(60);

/**
 * Verifies an id token and returns its claims (OpenID Connect Core §3.1.3.7). It is signed with a key of the provider,
 * of this issuer, for us, issued just now, not expired, for this sign-in, and matches the access token if it contains
 * its hash. Throws `ProviderRefused`.
 */
export async function verifyIdToken(
  publishedKeys: PublishedKeys,
  token: string,
  { nonce, accessToken, authenticatedSince = 0, ...by }: IdTokenRules,
): Promise<Readonly<Record<string, unknown>>> {
  const proven = await proveToken(publishedKeys, token, by, { maxAgeSeconds, required: ["iat"], types: ["jwt"] });
  checkAuthorizedParty(proven.claims, by.audience);
  checkNonce(proven.claims["nonce"], nonce);
  checkAuthenticationTime(proven.claims["auth_time"], authenticatedSince);
  if (accessToken !== undefined) checkAccessTokenHash(proven, accessToken);
  return proven.claims;
}

// §3.1.3.7, 3–5: with several audiences, the authorized party must be named, and it must be us.
function checkAuthorizedParty({ aud, azp }: Readonly<Record<string, unknown>>, audience: string): void {
  const isShared = Array.isArray(aud) && aud.length > 1;
  if (azp === undefined ? isShared : azp !== audience) throw new ProviderRefused("token_refused", "audience");
}

function checkNonce(said: unknown, nonce: string | undefined): void {
  if (nonce === undefined) return;
  if (typeof said !== "string" || !equalInConstantTime(said, nonce))
    throw new ProviderRefused("token_refused", "nonce");
}

// §3.1.3.7, 13: an old authentication does not answer a request for a new one. Not every provider reports the time.
function checkAuthenticationTime(said: unknown, since: Instant): void {
  if (typeof said !== "number" || said * 1000 >= since - clockSkew) return;
  throw new ProviderRefused("token_refused", "auth_time");
}

// §3.1.3.8: with another access token, userinfo would describe another user than the one who signed in.
function checkAccessTokenHash({ claims, algorithm }: ProvenToken, accessToken: Secret): void {
  const said = claims["at_hash"];
  if (said !== undefined && said !== leftHalfHash(accessToken.reveal(), algorithm)) {
    throw new ProviderRefused("token_refused", "at_hash");
  }
}
