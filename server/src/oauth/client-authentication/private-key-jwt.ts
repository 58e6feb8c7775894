import { type Assertion, JwtRefused, parseAssertion, verifyAssertion } from "../../base/jose/index.ts";
import { OAuthError } from "../../base/oauth-error.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import type { Client } from "../../domain/application/index.ts";
import { isFapiAlgorithm } from "../../domain/oidc-configuration/index.ts";
import { useAssertion } from "../../domain/token/index.ts";
import { endpointPaths } from "../../web/index.ts";
import { assertionRules, assertionRulesOf } from "./assertion-rules.ts";
import type { ClientKeys } from "./client-keys.ts";

export interface AssertionDeps {
  readonly database: Database;
  readonly clientKeys: ClientKeys;
  /** Whether the endpoints are accepted as audience, too, of clients that are not configured themselves. */
  readonly takesEndpointsAsAudience: boolean;
  /** Whether the strict profile holds. */
  readonly isStrict: boolean;
}

/** Parses an assertion to find the claimed client. Proves nothing. */
export function readClientAssertion(assertion: string): Assertion {
  try {
    return parseAssertion(assertion);
  } catch (error) {
    throw refused(error);
  }
}

/**
 * Verifies `private_key_jwt` (RFC 7523 §2.2, OpenID Connect Core §9). It must be signed by a registered, unexpired key,
 * and issuer and subject must be the client. Every audience must be our issuer or, for clients that may, an endpoint
 * where clients authenticate (OpenID Connect Core §9, RFC 9126 §2). With a `jti` the assertion is used once; without
 * one it may be used again within its hour, as clients of this interface do, and the strict profile refuses it.
 */
export async function verifyClientAssertion(
  deps: AssertionDeps,
  { call, issuer }: { readonly call: Call; readonly issuer: string },
  client: Client,
  assertion: string,
): Promise<void> {
  const { keyId } = readClientAssertion(assertion);
  const keys = await deps.clientKeys.find(client, { now: call.now, keyId });
  const { replayKey, expiresAt } = await verifyAssertion(assertion, {
    ...assertionRulesOf(deps),
    keys,
    issuer: client.clientId,
    subject: client.clientId,
    audience: issuer,
    otherAudiences: takesEndpoints(deps, client) ? listAudienceEndpoints(issuer) : [],
    now: call.now,
    ...(client.profile === "fapi2" && fapiRules),
  }).catch((error: unknown) => {
    throw refused(error);
  });
  const isFresh = await useAssertion(deps, call, {
    kind: "client_assertion",
    issuer: client.clientId,
    replayKey,
    expiresAt,
  });
  if (!isFresh) throw refused(undefined);
}

/** Lists the endpoints at which clients authenticate: the names of this server besides its issuer. */
export const listAudienceEndpoints = (issuer: string): string[] =>
  [
    endpointPaths.token,
    endpointPaths.pushedAuthorization,
    endpointPaths.introspection,
    endpointPaths.revocation,
    endpointPaths.deviceAuthorization,
  ].map((path) => issuer + path);

function takesEndpoints({ takesEndpointsAsAudience }: AssertionDeps, { assertionAudience }: Client): boolean {
  return assertionAudience === "default" ? takesEndpointsAsAudience : assertionAudience === "endpoints";
}

// FAPI 2.0 Security Profile §5.3.2.1 and §5.4.1; OpenID Connect Core §9 requires the `jti`.
const fapiRules = {
  isAudienceText: true,
  algorithms: assertionRules.algorithms.filter(isFapiAlgorithm),
  required: ["iat", "jti"],
} as const;

// Every failure is the same to the caller.
function refused(error: unknown): unknown {
  if (error !== undefined && !(error instanceof JwtRefused)) return error;
  return new OAuthError("invalid_client", "client authentication failed", { cause: error });
}
