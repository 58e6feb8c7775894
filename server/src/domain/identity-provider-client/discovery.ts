import { type Clock, type Instant, minutes, seconds } from "../../base/clock.ts";
import { type Outbound, parseTarget } from "../../base/outbound/index.ts";
import { fetchObject } from "./fetch-json.ts";
import { ProviderRefused } from "./provider-refused.ts";

/** The members of a discovery document that are used (OpenID Connect Discovery §3). */
export interface ProviderMetadata {
  readonly issuer: string;
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly userinfoEndpoint: string | undefined;
  readonly jwksUri: string;
  /** Undefined when the document does not say. */
  readonly tokenAuthMethods: readonly string[] | undefined;
  readonly tokenAuthAlgorithms: readonly string[] | undefined;
  readonly codeChallengeMethods: readonly string[] | undefined;
  /** Whether responses name their issuer (RFC 9207 §3). */
  readonly namesIssuer: boolean;
}

/** A cache of discovery documents, each for a limited time. */
export interface DiscoveryCache {
  /** Returns the metadata of an issuer. Throws `ProviderRefused`. */
  get(instanceId: string, issuer: string, isIssuer?: (named: string) => boolean): Promise<ProviderMetadata>;
}

interface Entry {
  readonly loading: Promise<ProviderMetadata>;
  until: Instant;
}

const mostDocuments = 1_000;
const lifetime = minutes(15);
const pauseAfterFailure = seconds(10);

/** Creates the cache. Requests of one instance never affect another. */
export function createDiscoveryCache({
  outbound,
  clock,
}: {
  readonly outbound: Outbound;
  readonly clock: Clock;
}): DiscoveryCache {
  const entries = new Map<string, Entry>();
  const askAgainSoon = (entry: Entry): void => {
    entry.until = Math.min(entry.until, clock() + pauseAfterFailure);
  };
  const find = (instanceId: string, issuer: string): Entry => {
    const key = `${instanceId}\n${issuer}`;
    const kept = entries.get(key);
    if (kept !== undefined && clock() < kept.until) return kept;
    if (entries.size >= mostDocuments) entries.delete(entries.keys().next().value ?? "");
    const entry: Entry = { loading: load(outbound, issuer), until: clock() + lifetime };
    entries.set(key, entry);
    entry.loading.catch(() => askAgainSoon(entry));
    return entry;
  };
  return {
    get: async (instanceId, issuer, isIssuer = (named) => named === issuer) => {
      const entry = find(instanceId, issuer);
      const metadata = await entry.loading;
      // OpenID Connect Discovery §4.3: exactly equal, otherwise the document belongs to another issuer. What is kept
      // says nothing of it: providers of other organizations, and of other kinds, may name the same issuer.
      if (isIssuer(metadata.issuer)) return metadata;
      askAgainSoon(entry);
      throw new ProviderRefused("discovery_invalid");
    },
  };
}

async function load(outbound: Outbound, issuer: string): Promise<ProviderMetadata> {
  const url = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
  const document = await fetchObject(outbound, { url });
  const named = document["issuer"];
  if (typeof named !== "string") throw new ProviderRefused("discovery_invalid");
  const endpoint = (name: string): string | undefined => readEndpoint(document[name], issuer);
  const authorizationEndpoint = endpoint("authorization_endpoint");
  const tokenEndpoint = endpoint("token_endpoint");
  const jwksUri = endpoint("jwks_uri");
  if (authorizationEndpoint === undefined || tokenEndpoint === undefined || jwksUri === undefined) {
    throw new ProviderRefused("discovery_invalid");
  }
  return {
    issuer: named,
    authorizationEndpoint,
    tokenEndpoint,
    userinfoEndpoint: endpoint("userinfo_endpoint"),
    jwksUri,
    tokenAuthMethods: readTexts(document["token_endpoint_auth_methods_supported"]),
    tokenAuthAlgorithms: readTexts(document["token_endpoint_auth_signing_alg_values_supported"]),
    codeChallengeMethods: readTexts(document["code_challenge_methods_supported"]),
    namesIssuer: document["authorization_response_iss_parameter_supported"] === true,
  };
}

function readEndpoint(value: unknown, issuer: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  const url = typeof value === "string" ? parseTarget(value) : undefined;
  // A provider that is reached by TLS must not have secrets sent elsewhere without it.
  const isSafe = url !== undefined && (url.protocol === "https:" || issuer.startsWith("http:"));
  if (!isSafe) throw new ProviderRefused("discovery_invalid");
  return url.href;
}

const readTexts = (value: unknown): readonly string[] | undefined =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === "string") : undefined;
