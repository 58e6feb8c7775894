import { type Instant, seconds } from "../../base/clock.ts";
import { leftHalfHash, type PublishedKeys } from "../../base/jose/index.ts";
import { equalInConstantTime, type Secret } from "../../base/secret.ts";
import { type ProvenToken, proveToken, type SignedBy } from "./prove-token.ts";
import { ProviderRefused } from "./provider-refused.ts";

/** By what a token of a provider is believed. */
export interface IdTokenRules extends SignedBy {
  /** Undefined where the token answers no request of ours. */
  readonly nonce: string | undefined;
  /** The access token that came with it, if one did. */
  readonly accessToken?: Secret | undefined;
  /** Since when the person has to have authenticated, where the token says when that was. */
  readonly authenticatedSince?: Instant | undefined;
}

/** How long after it was issued a token is taken: it was made for this sign-in. */
const maxAgeSeconds = 600;
/** How much the clock of a provider may differ from ours. */
const clockSkew = seconds(60);

/**
 * The claims of an id token, proven (OpenID Connect Core §3.1.3.7): signed by a key of the provider, of this issuer, for us, issued just now, alive,
 * for this sign-in, and made together with the access token if it says so. Throws `ProviderRefused`.
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

// §3.1.3.7, 3–5: of several audiences one has to be the party that the token was made for, and that is us.
function checkAuthorizedParty({ aud, azp }: Readonly<Record<string, unknown>>, audience: string): void {
  const isShared = Array.isArray(aud) && aud.length > 1;
  if (azp === undefined ? isShared : azp !== audience) throw new ProviderRefused("token_refused", "audience");
}

function checkNonce(said: unknown, nonce: string | undefined): void {
  if (nonce === undefined) return;
  if (typeof said !== "string" || !equalInConstantTime(said, nonce))
    throw new ProviderRefused("token_refused", "nonce");
}

// §3.1.3.7, 13: who was asked for a new authentication and speaks of an old one gives none. Not every provider says when it was.
function checkAuthenticationTime(said: unknown, since: Instant): void {
  if (typeof said !== "number" || said * 1000 >= since - clockSkew) return;
  throw new ProviderRefused("token_refused", "auth_time");
}

// §3.1.3.8: with another access token, userinfo would be told about somebody else than the one who signed in.
function checkAccessTokenHash({ claims, algorithm }: ProvenToken, accessToken: Secret): void {
  const said = claims["at_hash"];
  if (said !== undefined && said !== leftHalfHash(accessToken.reveal(), algorithm)) {
    throw new ProviderRefused("token_refused", "at_hash");
  }
}
