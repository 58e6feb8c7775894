import { JwtRefused, parseAssertion, verifyAssertion } from "../../base/jose/index.ts";
import { isRecord } from "../../base/json.ts";
import type { Call } from "../../call/index.ts";
import type { Client } from "../../domain/application/index.ts";
import { assertionRules } from "../client-authentication/assertion-rules.ts";
import type { ClientKeys } from "../client-authentication/client-keys.ts";
import { OAuthError } from "../error.ts";
import type { Parameters } from "../parameters.ts";

/** Algorithms of request objects, as discovery lists them. Never `none`. */
export const requestObjectAlgorithms = assertionRules.algorithms;

// Without `typ`, or as RFC 9101 §10.8 names it. A client assertion, which the same key signs, is not a request object.
const types = ["jwt", "oauth-authz-req+jwt"];

/** The endpoint of a request, and the directory of client keys. */
export interface RequestPlace {
  readonly call: Call;
  readonly issuer: string;
  readonly clientKeys: ClientKeys;
}

/**
 * Merges the parameters of a request with those of its request object, which take precedence (OpenID Connect Core §6.1,
 * RFC 9101). The object is signed by a registered key of the client, has the client as issuer and us as audience, and
 * has not expired. The parameters required outside the object, `client_id` and `response_type`, may not differ. A
 * request without an object is returned unchanged.
 */
export async function unfoldRequestObject(
  { call, issuer, clientKeys }: RequestPlace,
  client: Client,
  parameters: Parameters,
): Promise<Parameters> {
  const object = parameters.get("request");
  if (object === undefined) return parameters;
  if (parameters.has("request_uri")) {
    throw new OAuthError("invalid_request", "parameters request and request_uri exclude each other");
  }
  const inside = toParameters(await verify(object, { call, issuer, clientKeys, client }));
  for (const name of ["client_id", "response_type"]) {
    if (inside.has(name) && inside.get(name) !== parameters.get(name)) {
      throw new OAuthError("invalid_request", `parameter ${name} differs from the request object`);
    }
  }
  const merged = new Map([...parameters, ...inside]);
  merged.delete("request");
  return merged;
}

async function verify(
  object: string,
  { call, issuer, clientKeys, client }: RequestPlace & { readonly client: Client },
): Promise<Readonly<Record<string, unknown>>> {
  // Two parts and an empty signature: `alg: none`.
  if (/^[^.]*\.[^.]*\.$/.test(object)) {
    throw new OAuthError("request_not_supported", "request objects must be signed");
  }
  try {
    const assertion = parseAssertion(object);
    const keys = await clientKeys.find(client, { now: call.now, keyId: assertion.keyId });
    const { claims } = await verifyAssertion(assertion, {
      keys,
      types,
      algorithms: requestObjectAlgorithms,
      now: call.now,
      issuer: client.clientId,
      subject: undefined,
      audience: issuer,
      isAudienceShared: true,
      clockSkewSeconds: assertionRules.clockSkewSeconds,
      maxAgeSeconds: Number.POSITIVE_INFINITY,
      required: [],
      isExpiryOptional: true,
    });
    // RFC 9101 §10.8: rejects an object that could be taken for a client assertion.
    if (claims["sub"] === client.clientId) throw new JwtRefused("subject");
    return claims;
  } catch (error) {
    if (error instanceof JwtRefused)
      throw invalid("the request object is not one that the client signed for us", error);
    throw error;
  }
}

const claimsOfTheToken = new Set(["iss", "sub", "aud", "exp", "nbf", "iat", "jti"]);

function toParameters(claims: Readonly<Record<string, unknown>>): Parameters {
  const parameters = new Map<string, string>();
  for (const [name, value] of Object.entries(claims)) {
    if (claimsOfTheToken.has(name)) continue;
    if (name === "request" || name === "request_uri") throw invalid("a request object may not hold another one");
    const text = toText(name, value);
    if (text === undefined || text.includes("\0")) throw invalid(`member ${name} of the request object is malformed`);
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
