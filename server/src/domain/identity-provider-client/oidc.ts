import type { Secret } from "../../base/secret.ts";
import type { ProviderMetadata } from "./discovery.ts";
import { exchangeCode, type TokenEndpoint } from "./exchange-code.ts";
import { type ExternalIdentity, fromClaims } from "./external-identity.ts";
import { mergeClaims } from "./merge-claims.ts";
import type { CodeFlowClient, ProviderClientDeps } from "./provider-client.ts";
import { ProviderRefused } from "./provider-refused.ts";
import { readUserinfo } from "./read-userinfo.ts";
import { verifyIdToken } from "./verify-id-token.ts";

/** An OpenID provider, and its peculiarities. */
export interface OidcProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: Secret | undefined;
  readonly scopes: readonly string[];
  /** Whether the user is read from the id token alone. */
  readonly usesIdTokenOnly: boolean;
  readonly parameters?: Readonly<Record<string, string>>;
  /** Whether requests have none of the optional parameters, nor PKCE: the nonce alone ties the answer to them. */
  readonly isPlain?: boolean;
  /** Whether discovery may name this issuer; only the configured one may when absent. */
  readonly isIssuer?: (named: string) => boolean;
  /** Returns the issuer that an id token must name; the one of discovery when absent. */
  readonly issuerOf?: (named: string, claims: Readonly<Record<string, unknown>>) => string | undefined;
  /** Adjusts the identity to what may be believed of the claims. */
  readonly adjust?: (identity: ExternalIdentity) => ExternalIdentity;
}

/**
 * Creates a client of an OpenID provider: discovery, code flow with PKCE and nonce, id token, userinfo (OpenID Connect
 * Core §3.1).
 */
export function createOidcClient(deps: ProviderClientDeps, provider: OidcProvider): CodeFlowClient {
  const discover = (instanceId: string): Promise<ProviderMetadata> =>
    deps.providerDiscovery.get(instanceId, provider.issuer, provider.isIssuer);
  return {
    flow: "code",
    begin: async (request) => {
      const { instanceId, redirectUri, state, nonce, codeChallenge } = request;
      const { loginHint, prompt, maxAgeSeconds, uiLocales = [] } = provider.isPlain === true ? {} : request;
      const { authorizationEndpoint, codeChallengeMethods } = await discover(instanceId);
      const hasChallenge = provider.isPlain !== true && (codeChallengeMethods?.includes("S256") ?? true);
      const url = new URL(authorizationEndpoint);
      const parameters = {
        client_id: provider.clientId,
        redirect_uri: redirectUri,
        response_type: "code",
        state,
        nonce,
        scope: [...new Set(["openid", ...provider.scopes])].join(" "),
        ...(hasChallenge && { code_challenge: codeChallenge, code_challenge_method: "S256" }),
        ...(loginHint !== undefined && { login_hint: loginHint }),
        ...(prompt !== undefined && { prompt }),
        ...(maxAgeSeconds !== undefined && { max_age: `${maxAgeSeconds}` }),
        ...(uiLocales.length > 0 && { ui_locales: uiLocales.join(" ") }),
        ...provider.parameters,
      };
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
      return { url: url.href, hasChallenge };
    },
    checkIssuer: async ({ instanceId, issuer }) => refuseOtherIssuer(await discover(instanceId), issuer),
    complete: async (answer) => {
      const metadata = await discover(answer.instanceId);
      refuseOtherIssuer(metadata, answer.issuer);
      const { clientId, clientSecret } = provider;
      const authentication = authenticationAt(metadata, clientSecret, (algorithms) =>
        deps.signClientAssertion({ ...answer, clientId, audience: metadata.issuer, algorithms }),
      );
      const endpoint = { url: metadata.tokenEndpoint, clientId, clientSecret, authentication };
      const tokens = await exchangeCode(deps.outbound, endpoint, answer);
      if (tokens.idToken === undefined) throw new ProviderRefused("answer_malformed");
      const { accessToken, idToken } = tokens;
      const { userinfoEndpoint, jwksUri } = metadata;
      const issuerOf = provider.issuerOf === undefined ? () => metadata.issuer : issuerBy(provider.issuerOf, metadata);
      const by = { instanceId: answer.instanceId, now: answer.now, jwksUri, audience: clientId, issuerOf };
      const { nonce, authenticatedSince } = answer;
      const rules = { ...by, nonce, accessToken, authenticatedSince };
      const claims = await verifyIdToken(deps.publishedKeys, idToken.reveal(), rules);
      const isAsked = !provider.usesIdTokenOnly && userinfoEndpoint !== undefined;
      const more = isAsked ? await readUserinfo(deps, { url: userinfoEndpoint, by }, { accessToken, claims }) : {};
      const identity = fromClaims(mergeClaims(claims, more), tokens);
      return provider.adjust?.(identity) ?? identity;
    },
  };
}

const issuerBy =
  (issuerOf: NonNullable<OidcProvider["issuerOf"]>, { issuer }: ProviderMetadata) =>
  (claims: Readonly<Record<string, unknown>>): string | undefined =>
    issuerOf(issuer, claims);

// RFC 9207 §2.4: the answer of another server must not be exchanged here (mix-up, RFC 9700 §4.4).
function refuseOtherIssuer({ issuer, namesIssuer }: ProviderMetadata, named: string | undefined): void {
  if (named === undefined ? namesIssuer : named !== issuer) throw new ProviderRefused("issuer_mismatch");
}

// OpenID Connect Discovery §3: `client_secret_basic` when the document does not say. A configured secret is used first;
// a key serves providers that accept no secret (OpenID Connect Core §9, `private_key_jwt`).
function authenticationAt(
  { tokenAuthMethods: methods = [], tokenAuthAlgorithms }: ProviderMetadata,
  clientSecret: Secret | undefined,
  sign: (algorithms: readonly string[] | undefined) => Promise<string>,
): TokenEndpoint["authentication"] {
  if (methods.includes("client_secret_basic")) return "basic";
  if (methods.includes("client_secret_post")) return "post";
  const isPublic = clientSecret === undefined && methods.includes("none");
  return methods.includes("private_key_jwt") && !isPublic ? () => sign(tokenAuthAlgorithms) : "basic";
}
