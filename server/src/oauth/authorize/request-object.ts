import { hash } from "node:crypto";
import { parseScope } from "../../authority/index.ts";
import { seconds } from "../../base/clock.ts";
import { JwtRefused, parseAssertion, type VerifiedAssertion, verifyAssertion } from "../../base/jose/index.ts";
import { isRecord } from "../../base/json.ts";
import { OAuthError } from "../../base/oauth-error.ts";
import type { Call } from "../../call/index.ts";
import type { Client } from "../../domain/application/index.ts";
import { isFapiAlgorithm } from "../../domain/oidc-configuration/index.ts";
import { assertionRules } from "../client-authentication/assertion-rules.ts";
import type { ClientKeys } from "../client-authentication/client-keys.ts";
import type { Parameters } from "../parameters.ts";
import type { BroughtRequest } from "./asked.ts";

/** Algorithms of request objects, as discovery lists them. Never `none`. */
export const requestObjectAlgorithms = assertionRules.algorithms;

// Without `typ`, or as RFC 9101 §10.8 names it. A client assertion, which the same key signs, is not a request object.
const types = ["jwt", "oauth-authz-req+jwt"];

/** Longest lifetime of a request object, in seconds (FAPI 2.0 Message Signing §5.3.1). */
const longestLifetime = 3600;

/**
 * How an object arrived. `value`: through the browser. `pushed`: from the client itself. `published`: fetched from an
 * address that the client registered, for each request.
 */
type ObjectSource = "value" | "pushed" | "published";

/** The endpoint of a request, the directory of client keys, and how the object arrived. */
export interface ObjectArrival {
  readonly call: Call;
  readonly issuer: string;
  readonly clientKeys: ClientKeys;
  readonly source: ObjectSource;
}

/** The parameters of a request, and whether its scope and `login_hint` were in an object that the client signed. */
interface UnfoldedRequest extends Pick<BroughtRequest, "parameters" | "referenceHash"> {
  readonly isScopeSigned: boolean;
  readonly isHintSigned: boolean;
}

/**
 * Returns the parameters of a request object (RFC 9101 §6.3): those in it, and nothing beside it but `client_id`.
 * OpenID Connect Core §6.1 puts `response_type` and `scope` outside, so the browser may bring them where the object
 * lacks them; what is in both must agree. A pushed object says everything itself (RFC 9126 §3).
 *
 * The object is signed by a registered key of the client, has the client as issuer and us as audience, expires within
 * an hour, and is used once when it has a `jti`. An object that the client publishes at its own address may live on.
 * Returns a request without an object unchanged.
 */
export async function unfoldRequestObject(
  arrival: ObjectArrival,
  client: Client,
  parameters: Parameters,
): Promise<UnfoldedRequest> {
  const object = parameters.get("request");
  if (object === undefined) {
    return { parameters, referenceHash: undefined, isScopeSigned: false, isHintSigned: false };
  }
  if (parameters.has("request_uri")) {
    throw new OAuthError("invalid_request", "parameters request and request_uri exclude each other");
  }
  const { claims } = await verify(object, arrival, client);
  const inside = toParameters(claims);
  checkOutside(inside, parameters, client);
  const unfolded = new Map([...inside, ["client_id", client.clientId]]);
  if (arrival.source !== "pushed" && !client.isRequestObjectRequired) {
    for (const name of ["response_type", "scope"]) {
      const outside = parameters.get(name);
      if (!unfolded.has(name) && outside !== undefined) unfolded.set(name, outside);
    }
  }
  return {
    parameters: unfolded,
    referenceHash: referenceOf(claims, arrival, client),
    isScopeSigned: inside.has("scope"),
    isHintSigned: inside.has("login_hint"),
  };
}

// An object at an address of the client is fetched for every request, so it cannot be used only once.
function referenceOf(claims: Claims, { source }: ObjectArrival, { clientId }: Client): string | undefined {
  const tokenId = claims["jti"];
  if (source === "published" || typeof tokenId !== "string") return undefined;
  return hash("sha256", JSON.stringify(["request object", clientId, tokenId]), "base64url");
}

function checkOutside(inside: Parameters, outside: Parameters, { clientId }: Client): void {
  const differs = (name: string): OAuthError =>
    new OAuthError("invalid_request", `parameter ${name} differs from the request object`);
  if (inside.has("client_id") && inside.get("client_id") !== clientId) throw differs("client_id");
  for (const name of ["response_type", "scope"]) {
    const words = parseScope(outside.get(name) ?? "");
    const known = parseScope(inside.get(name) ?? "");
    if (inside.has(name) && !words.isSubsetOf(known)) throw differs(name);
  }
}

type Claims = Readonly<Record<string, unknown>>;

async function verify(object: string, arrival: ObjectArrival, client: Client): Promise<VerifiedAssertion> {
  const { call, issuer, clientKeys, source } = arrival;
  const isFapi = client.profile === "fapi2";
  // Two parts and an empty signature: `alg: none`. OpenID Connect Core §3.1.2.6 has a code of its own for servers
  // without unsigned objects. A client that has to sign has simply sent an invalid one (RFC 9101 §6.2).
  if (/^[^.]*\.[^.]*\.$/.test(object)) {
    if (source === "pushed" || client.isRequestObjectRequired) throw invalid("request objects must be signed");
    throw new OAuthError("request_not_supported", "request objects must be signed");
  }
  try {
    const assertion = parseAssertion(object);
    const keys = await clientKeys.find(client, { now: call.now, keyId: assertion.keyId });
    const verified = await verifyAssertion(assertion, {
      keys,
      types,
      algorithms: isFapi ? requestObjectAlgorithms.filter(isFapiAlgorithm) : requestObjectAlgorithms,
      now: call.now,
      issuer: client.clientId,
      subject: undefined,
      audience: issuer,
      isAudienceShared: true,
      clockSkewSeconds: assertionRules.clockSkewSeconds,
      maxAgeSeconds: source === "published" ? Number.POSITIVE_INFINITY : longestLifetime,
      required: [],
      isExpiryOptional: source === "published",
    });
    const { claims } = verified;
    // RFC 9101 §10.8: rejects an object that could be taken for a client assertion.
    if (claims["sub"] === client.clientId) throw new JwtRefused("subject");
    if (source !== "published") checkLifetime(claims, arrival);
    if (isFapi && claims["nbf"] === undefined) throw invalid("the request object has no nbf");
    return verified;
  } catch (error) {
    if (error instanceof JwtRefused)
      throw invalid("the request object is not one that the client signed for us", error);
    throw error;
  }
}

// The times were read as numbers before. Without a beginning of its own the object begins now.
function checkLifetime({ exp, nbf, iat }: Claims, { call }: ObjectArrival): void {
  const begins = nbf ?? iat ?? call.now / seconds(1) + assertionRules.clockSkewSeconds;
  if (Number(exp) - Number(begins) > longestLifetime) throw invalid("the request object is valid for over an hour");
}

const claimsOfTheToken = new Set(["iss", "sub", "aud", "exp", "nbf", "iat", "jti"]);

function toParameters(claims: Claims): Parameters {
  const parameters = new Map<string, string>();
  for (const [name, value] of Object.entries(claims)) {
    if (claimsOfTheToken.has(name)) continue;
    if (name === "request" || name === "request_uri") throw invalid("a request object may not hold another one");
    const text = toText(name, value);
    if (text === undefined || text.includes("\0") || !text.isWellFormed())
      throw invalid(`member ${name} of the request object is malformed`);
    if (text !== "") parameters.set(name, text);
  }
  return parameters;
}

// Everything is text except `max_age`, a number, `claims`, an object (OpenID Connect Core §6.1), and `resource`, which
// may be a list.
function toText(name: string, value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (name === "resource" && Array.isArray(value) && value.every((one) => typeof one === "string"))
    return value.join(" ");
  return name === "claims" && isRecord(value) ? JSON.stringify(value) : undefined;
}

const invalid = (description: string, cause?: unknown): OAuthError =>
  new OAuthError("invalid_request_object", description, { cause });
