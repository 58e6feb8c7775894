import type { Instant } from "../../base/clock.ts";
import type { PublishedKeys } from "../../base/jose/index.ts";
import type { Outbound } from "../../base/outbound/index.ts";
import type { SignClientAssertion } from "./client-assertion.ts";
import type { DiscoveryCache } from "./discovery.ts";
import type { ExternalIdentity } from "./external-identity.ts";

/** What clients of providers are built from. */
export interface ProviderClientDeps {
  readonly outbound: Outbound;
  readonly publishedKeys: PublishedKeys;
  readonly providerDiscovery: DiscoveryCache;
  readonly signClientAssertion: SignClientAssertion;
}

/** What a browser is sent to a provider with. */
export interface BeginSignIn {
  readonly instanceId: string;
  readonly now: Instant;
  /** Where the provider sends the browser back to. */
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  /** Of the PKCE pair that will be used if the provider takes one (RFC 7636). */
  readonly codeChallenge: string;
  readonly loginHint?: string | undefined;
  /** What the person has to do there, where the provider can be told. */
  readonly prompt?: ProviderPrompt | undefined;
  /** Seconds that the authentication there may be old, where the provider can be told (`max_age`). */
  readonly maxAgeSeconds?: number | undefined;
  /** Languages of the person, best first. */
  readonly uiLocales?: readonly string[];
}

/** Values of `prompt` that are passed on (OpenID Connect Core §3.1.2.1). */
export type ProviderPrompt = "login" | "select_account";

export interface BegunSignIn {
  readonly url: string;
  /** Whether the challenge was sent; then the verifier has to be sent as well, and otherwise must not be. */
  readonly hasChallenge: boolean;
}

/** What a browser came back with. */
export interface CompleteSignIn {
  readonly instanceId: string;
  readonly now: Instant;
  readonly code: string;
  readonly redirectUri: string;
  readonly nonce: string;
  readonly codeVerifier: string | undefined;
  /** Since when the person has to have authenticated there; any time where it is not said. */
  readonly authenticatedSince?: Instant | undefined;
  /** `iss` of the answer (RFC 9207). */
  readonly issuer: string | undefined;
}

/** A provider whose answer comes with the browser as a code. All throw `ProviderRefused`. */
export interface CodeFlowClient {
  readonly flow: "code";
  begin(request: BeginSignIn): Promise<BegunSignIn>;
  /** Refuses an answer that another server gave, whatever it says (RFC 9207 §2.4); `complete` does so itself. */
  checkIssuer(answer: Pick<CompleteSignIn, "instanceId" | "issuer">): Promise<void>;
  complete(answer: CompleteSignIn): Promise<ExternalIdentity>;
}

/** A provider that hands over a signed token itself. */
export interface TokenFlowClient {
  readonly flow: "token";
  /** Name of the header that the token comes in. */
  readonly headerName: string;
  begin(request: BeginSignIn): Promise<BegunSignIn>;
  verify(token: string, at: { readonly instanceId: string; readonly now: Instant }): Promise<ExternalIdentity>;
}

export type ProviderClient = CodeFlowClient | TokenFlowClient;
