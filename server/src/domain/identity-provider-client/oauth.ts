import type { Secret } from "../../base/secret.ts";
import { type ExchangedTokens, exchangeCode } from "./exchange-code.ts";
import { type ExternalIdentity, fromClaims, readSubject, textOf } from "./external-identity.ts";
import { fetchObject } from "./fetch-json.ts";
import type { CodeFlowClient, ProviderClientDeps } from "./provider-client.ts";
import { ProviderRefused } from "./provider-refused.ts";

/** An authorization server that tells at an address of its own who the person is, and what is special about it. */
export interface OAuthProvider {
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly userEndpoint: string;
  readonly clientId: string;
  readonly clientSecret: Secret | undefined;
  readonly scopes: readonly string[];
  /** The member of the answer that identifies the person. */
  readonly idAttribute: string;
  readonly hasPkce: boolean;
  readonly authentication: "post" | "either";
  /** What is read of the answer; the standard claims when not given. */
  readonly describe?: (
    user: Readonly<Record<string, unknown>>,
    tokens: ExchangedTokens,
  ) => Promise<ExternalIdentity> | ExternalIdentity;
}

/** A client of an OAuth 2.0 authorization server that knows people: code flow, and its user endpoint. */
export function createOAuthClient({ outbound }: ProviderClientDeps, provider: OAuthProvider): CodeFlowClient {
  const { clientId, clientSecret, authentication, hasPkce } = provider;
  return {
    flow: "code",
    begin: async ({ redirectUri, state, codeChallenge, loginHint }) => {
      const url = new URL(provider.authorizationEndpoint);
      const parameters = {
        ...{ client_id: clientId, redirect_uri: redirectUri, response_type: "code", state },
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

// RFC 9207 §2: nobody told us this server's issuer. It is where the authorization endpoint is, as far as one can know without metadata.
function refuseOtherIssuer({ authorizationEndpoint }: OAuthProvider, named: string | undefined): void {
  if (named === undefined || URL.parse(named)?.origin === new URL(authorizationEndpoint).origin) return;
  throw new ProviderRefused("issuer_mismatch");
}

function describe(user: Readonly<Record<string, unknown>>, idAttribute: string, tokens: ExchangedTokens) {
  const subject = readSubject(Object.hasOwn(user, idAttribute) ? user[idAttribute] : undefined);
  const identity = fromClaims({ ...user, sub: subject }, tokens);
  return { ...identity, username: textOf(user["username"]) ?? identity.username, raw: user };
}
