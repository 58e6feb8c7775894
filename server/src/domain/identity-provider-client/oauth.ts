import type { Secret } from "../../base/secret.ts";
import { type ExchangedTokens, exchangeCode } from "./exchange-code.ts";
import { type ExternalIdentity, fromClaims, readSubject, textOf } from "./external-identity.ts";
import { fetchObject } from "./fetch-json.ts";
import type { CodeFlowClient, ProviderClientDeps } from "./provider-client.ts";
import { ProviderRefused } from "./provider-refused.ts";

/** An authorization server with a user endpoint, and its peculiarities. */
export interface OAuthProvider {
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly userEndpoint: string;
  readonly clientId: string;
  readonly clientSecret: Secret | undefined;
  readonly scopes: readonly string[];
  /** The member of the response that identifies the user. */
  readonly idAttribute: string;
  readonly hasPkce: boolean;
  readonly authentication: "post" | "either";
  /** Converts the response; from the standard claims when absent. */
  readonly describe?: (
    user: Readonly<Record<string, unknown>>,
    tokens: ExchangedTokens,
  ) => Promise<ExternalIdentity> | ExternalIdentity;
}

/** Creates a client of an OAuth 2.0 authorization server: code flow, and its user endpoint. */
export function createOAuthClient({ outbound }: ProviderClientDeps, provider: OAuthProvider): CodeFlowClient {
  const { clientId, clientSecret, authentication, hasPkce } = provider;
  return {
    flow: "code",
    begin: async ({ redirectUri, state, codeChallenge, loginHint }) => {
      const url = new URL(provider.authorizationEndpoint);
      const parameters = {
        client_id: clientId,
        redirect_uri: redirectUri,
        response_type: "code",
        state,
        ...(provider.scopes.length > 0 && { scope: provider.scopes.join(" ") }),
        ...(hasPkce && { code_challenge: codeChallenge, code_challenge_method: "S256" }),
        ...(loginHint !== undefined && { login_hint: loginHint }),
      };
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
      return { url: url.href, hasChallenge: hasPkce };
    },
    checkIssuer: async ({ issuer }) => refuseOtherIssuer(provider, issuer),
    complete: async (answer) => {
      refuseOtherIssuer(provider, answer.issuer);
      const endpoint = { url: provider.tokenEndpoint, clientId, clientSecret, authentication };
      const tokens = await exchangeCode(outbound, endpoint, answer);
      const headers = { authorization: `Bearer ${tokens.accessToken.reveal()}` };
      const user = await fetchObject(outbound, { url: provider.userEndpoint, headers });
      return provider.describe === undefined
        ? describe(user, provider.idAttribute, tokens)
        : provider.describe(user, tokens);
    },
  };
}

// RFC 9207 §2: the issuer of this server is not configured. Without metadata, the origin of the authorization endpoint
// is the best that can be compared.
function refuseOtherIssuer({ authorizationEndpoint }: OAuthProvider, named: string | undefined): void {
  if (named === undefined || URL.parse(named)?.origin === new URL(authorizationEndpoint).origin) return;
  throw new ProviderRefused("issuer_mismatch");
}

function describe(user: Readonly<Record<string, unknown>>, idAttribute: string, tokens: ExchangedTokens) {
  const subject = readSubject(Object.hasOwn(user, idAttribute) ? user[idAttribute] : undefined);
  const identity = fromClaims({ ...user, sub: subject }, tokens);
  return { ...identity, username: textOf(user["username"]) ?? identity.username, raw: user };
}
