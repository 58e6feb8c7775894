import type { Instant } from "../../base/clock.ts";
import type { PublishedKeys } from "../../base/jose/index.ts";
import type { Ldap } from "../../base/ldap/index.ts";
import type { Outbound } from "../../base/outbound/index.ts";
import type { Secret } from "../../base/secret.ts";
import type { SignClientAssertion } from "./client-assertion.ts";
import type { DiscoveryCache } from "./discovery.ts";
import type { ExternalIdentity } from "./external-identity.ts";
import type { SamlMetadataCache } from "./saml-metadata-cache.ts";

/** What clients of providers are built from. */
export interface ProviderClientDeps {
  readonly outbound: Outbound;
  readonly ldap: Ldap;
  readonly publishedKeys: PublishedKeys;
  readonly providerDiscovery: DiscoveryCache;
  readonly signClientAssertion: SignClientAssertion;
  readonly samlMetadata: SamlMetadataCache;
}

/** The parameters of a request that sends a browser to a provider. */
interface BeginSignIn {
  readonly instanceId: string;
  readonly now: Instant;
  /** Where the provider sends the browser back. */
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  /** Of the PKCE pair, which is used if the provider supports it (RFC 7636). */
  readonly codeChallenge: string;
  readonly loginHint?: string | undefined;
  /** What the user must do there, if the provider supports it. */
  readonly prompt?: ProviderPrompt | undefined;
  /** Maximum age in seconds of the authentication there, if the provider supports it (`max_age`). */
  readonly maxAgeSeconds?: number | undefined;
  /** Languages of the user, best first. */
  readonly uiLocales?: readonly string[];
}

/** Values of `prompt` that are passed on (OpenID Connect Core §3.1.2.1). */
export type ProviderPrompt = "login" | "select_account";

export interface BegunSignIn {
  /** Where the browser is sent; with a form, where it posts it. */
  readonly url: string;
  /** Fields of the form that the browser posts there (SAML); it is redirected when absent. */
  readonly form?: Readonly<Record<string, string>>;
  /** Whether the challenge was sent: only then must the verifier be sent as well. */
  readonly hasChallenge: boolean;
}

/** What a browser returned with. */
export interface CompleteSignIn {
  readonly instanceId: string;
  readonly now: Instant;
  readonly code: string;
  readonly redirectUri: string;
  readonly nonce: string;
  readonly codeVerifier: string | undefined;
  /** The user must have authenticated there since this instant; any time when absent. */
  readonly authenticatedSince?: Instant | undefined;
  /** `iss` of the response (RFC 9207). */
  readonly issuer: string | undefined;
  /** `user` of a posted response, where the provider sends one; it is not signed. */
  readonly user?: string | undefined;
}

/** A provider that sends its answer with the browser, as a code. All methods throw `ProviderRefused`. */
export interface CodeFlowClient {
  readonly flow: "code";
  begin(request: BeginSignIn): Promise<BegunSignIn>;
  /** Rejects the answer of another server, whatever it contains (RFC 9207 §2.4); `complete` does so itself. */
  checkIssuer(answer: Pick<CompleteSignIn, "instanceId" | "issuer">): Promise<void>;
  complete(answer: CompleteSignIn): Promise<ExternalIdentity>;
}

/** A provider that delivers a signed token itself. */
export interface TokenFlowClient {
  readonly flow: "token";
  /** Name of the header with the token. */
  readonly headerName: string;
  begin(request: BeginSignIn): Promise<BegunSignIn>;
  verify(token: string, at: { readonly instanceId: string; readonly now: Instant }): Promise<ExternalIdentity>;
}

/** A posted answer of a provider. */
export interface CompleteAssertion extends Pick<CompleteSignIn, "instanceId" | "now" | "nonce" | "authenticatedSince"> {
  /** The response as the form had it. */
  readonly response: string;
}

/** A provider that has the browser post a signed assertion (SAML). */
export interface AssertionFlowClient {
  readonly flow: "assertion";
  begin(request: BeginSignIn): Promise<BegunSignIn>;
  complete(answer: CompleteAssertion): Promise<ExternalIdentity>;
}

/** What a user enters on a page of ours. */
export interface Credentials {
  readonly username: string;
  readonly password: Secret;
}

/** A provider whose users enter name and password on a page of ours. */
export interface PasswordFlowClient {
  readonly flow: "password";
  /** Sends the browser to our own page. */
  begin(request: BeginSignIn): Promise<BegunSignIn>;
  /**
   * Returns the user; undefined for a wrong name or password, which are not told apart. `mayGuess` is asked before the
   * password of an account is checked, because an account may have many names; one that it refuses is answered like a
   * wrong password. Throws `ProviderRefused`.
   */
  check(credentials: Credentials, mayGuess: (account: string) => boolean): Promise<ExternalIdentity | undefined>;
}

export type ProviderClient = CodeFlowClient | TokenFlowClient | AssertionFlowClient | PasswordFlowClient;
