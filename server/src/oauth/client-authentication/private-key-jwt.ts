import { type Assertion, JwtRefused, parseAssertion, verifyAssertion } from "../../base/jose/index.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import type { Client } from "../../domain/application/index.ts";
import { useAssertion } from "../../domain/token/index.ts";
import { endpointPaths } from "../endpoints.ts";
import { OAuthError } from "../error.ts";
import { assertionRules } from "./assertion-rules.ts";
import type { ClientKeys } from "./client-keys.ts";

export interface AssertionDeps {
  readonly database: Database;
  readonly clientKeys: ClientKeys;
  /** Whether the URL of the token endpoint is accepted as audience, too. */
  readonly takesEndpointAsAudience: boolean;
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
 * and issuer and subject must be the client. Our issuer must be the only audience (or the token endpoint, if the
 * operator allows it), and the assertion must not have been used before.
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
    ...assertionRules,
    keys,
    issuer: client.clientId,
    subject: client.clientId,
    audience: issuer,
    otherAudience: deps.takesEndpointAsAudience ? `${issuer}${endpointPaths.token}` : undefined,
    now: call.now,
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

// Every failure is the same to the caller.
function refused(error: unknown): unknown {
  if (error !== undefined && !(error instanceof JwtRefused)) return error;
  return new OAuthError("invalid_client", "client authentication failed", { cause: error });
}
