import { Secret } from "../../base/secret.ts";
import { fromClaims } from "./external-identity.ts";
import type { ProviderClientDeps, TokenFlowClient } from "./provider-client.ts";
import { verifyIdToken } from "./verify-id-token.ts";

export interface JwtProvider {
  readonly issuer: string;
  /** Where the browser is sent; it returns through a proxy that adds the token as a header. */
  readonly jwtEndpoint: string;
  readonly keysEndpoint: string;
  readonly headerName: string;
  readonly audience: string;
}

/**
 * Creates a client of a provider that delivers a token itself, signed with a key that it publishes. The token needs
 * everything that an id token needs: `iss`, `aud`, `exp` and `iat` (CVE-2026-55669, -56664, -56665).
 */
export function createJwtClient({ publishedKeys }: ProviderClientDeps, provider: JwtProvider): TokenFlowClient {
  const { issuer, audience, keysEndpoint: jwksUri } = provider;
  return {
    flow: "token",
    headerName: provider.headerName.toLowerCase(),
    begin: async ({ state }) => {
      const url = new URL(provider.jwtEndpoint);
      url.searchParams.set("authRequestID", state);
      return { url: url.href, hasChallenge: false };
    },
    verify: async (token, { instanceId, now }) => {
      const rules = { instanceId, now, jwksUri, issuerOf: () => issuer, audience, nonce: undefined };
      const claims = await verifyIdToken(publishedKeys, token, rules);
      return fromClaims(claims, { idToken: new Secret(token) });
    },
  };
}
