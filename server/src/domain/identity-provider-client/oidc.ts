import type { Secret } from "../../base/secret.ts";
import type { ProviderMetadata } from "./discovery.ts";
import { exchangeCode } from "./exchange-code.ts";
import { type ExternalIdentity, fromClaims } from "./external-identity.ts";
import { fetchObject } from "./fetch-json.ts";
import type { CodeFlowClient, CompleteSignIn, ProviderClientDeps } from "./provider-client.ts";
import { ProviderRefused } from "./provider-refused.ts";
import { verifyIdToken } from "./verify-id-token.ts";

/** An OpenID provider, and what is special about it. */
export interface OidcProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: Secret | undefined;
  readonly scopes: readonly string[];
  /** Takes what it says of a person from the id token alone. */
  readonly usesIdTokenOnly: boolean;
  readonly parameters?: Readonly<Record<string, string>>;
  /** Whether discovery may name this issuer; only the configured one when not given. */
  readonly isIssuer?: (named: string) => boolean;
  /** The issuer that an id token must name; the one of discovery when not given. */
  readonly issuerOf?: (named: string, claims: Readonly<Record<string, unknown>>) => string | undefined;
  /** What is believed of the claims. */
  readonly adjust?: (identity: ExternalIdentity) => ExternalIdentity;
}

/** A client of an OpenID provider: discovery, code flow with PKCE and nonce, id token, userinfo (OpenID Connect Core §3.1). */
export function createOidcClient(deps: ProviderClientDeps, provider: OidcProvider): CodeFlowClient {
  const discover = (instanceId: string): Promise<ProviderMetadata> =>
    deps.providerDiscovery.get(instanceId, provider.issuer, provider.isIssuer);
  return {
    flow: "code",
    begin: async ({ instanceId, redirectUri, state, nonce, codeChallenge, loginHint, prompt, uiLocales = [] }) => {
      const { authorizationEndpoint, codeChallengeMethods } = await discover(instanceId);
      const hasChallenge = codeChallengeMethods?.includes("S256") ?? true;
      const url = new URL(authorizationEndpoint);
      const parameters = {
        ...{ client_id: provider.clientId, redirect_uri: redirectUri, response_type: "code", state, nonce },
        scope: [...new Set(["openid", ...provider.scopes])].join(" "),
        ...(hasChallenge && { code_challenge: codeChallenge, code_challenge_method: "S256" }),
        ...(loginHint !== undefined && { login_hint: loginHint }),
        ...(prompt !== undefined && { prompt }),
        ...(uiLocales.length > 0 && { ui_locales: uiLocales.join(" ") }),
        ...provider.parameters,
      };
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
      return { url: url.href, hasChallenge };
    },
    complete: async (answer) => {
      const metadata = await discover(answer.instanceId);
      refuseOtherIssuer(metadata, answer);
      const { clientId, clientSecret } = provider;
      const endpoint = { url: metadata.tokenEndpoint, clientId, clientSecret, authentication: methodOf(metadata) };
      const tokens = await exchangeCode(deps.outbound, endpoint, answer);
      if (tokens.idToken === undefined) throw new ProviderRefused("answer_malformed");
      const claims = await verifyIdToken(deps.publishedKeys, tokens.idToken.reveal(), {
        ...{ instanceId: answer.instanceId, now: answer.now, jwksUri: metadata.jwksUri, audience: clientId },
        nonce: answer.nonce,
        issuerOf: provider.issuerOf === undefined ? () => metadata.issuer : issuerBy(provider.issuerOf, metadata),
      });
      const said = { ...claims, ...(await readUserinfo(deps, provider, metadata, { claims, tokens })) };
      const identity = fromClaims(said, tokens);
      return provider.adjust?.(identity) ?? identity;
    },
  };
}

const issuerBy =
  (issuerOf: NonNullable<OidcProvider["issuerOf"]>, { issuer }: ProviderMetadata) =>
  (claims: Readonly<Record<string, unknown>>): string | undefined =>
    issuerOf(issuer, claims);

// RFC 9207 §2.4: an answer of another server must not be exchanged here (mix-up, RFC 9700 §4.4).
function refuseOtherIssuer({ issuer, namesIssuer }: ProviderMetadata, answer: CompleteSignIn): void {
  if (answer.issuer === undefined ? namesIssuer : answer.issuer !== issuer)
    throw new ProviderRefused("issuer_mismatch");
}

// OpenID Connect Discovery §3: `client_secret_basic` when the document does not say.
const methodOf = ({ tokenAuthMethods: methods }: ProviderMetadata): "basic" | "post" =>
  methods !== undefined && !methods.includes("client_secret_basic") && methods.includes("client_secret_post")
    ? "post"
    : "basic";

async function readUserinfo(
  { outbound }: ProviderClientDeps,
  { usesIdTokenOnly }: OidcProvider,
  { userinfoEndpoint: url }: ProviderMetadata,
  { claims, tokens }: { claims: Readonly<Record<string, unknown>>; tokens: { readonly accessToken: Secret } },
): Promise<Readonly<Record<string, unknown>>> {
  if (usesIdTokenOnly || url === undefined) return {};
  const headers = { authorization: `Bearer ${tokens.accessToken.reveal()}` };
  const userinfo = await fetchObject(outbound, { url, headers });
  // §5.3.2: without the same `sub` it must not be used; the token may be somebody else's.
  if (userinfo["sub"] !== claims["sub"]) throw new ProviderRefused("subject_mismatch");
  return userinfo;
}
