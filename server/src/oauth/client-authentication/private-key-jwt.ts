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
  /** Whether the URL of the token endpoint does as audience, too. */
  readonly takesEndpointAsAudience: boolean;
}

/** Takes an assertion apart to learn whose it claims to be. Nothing is proven by it. */
export function readClientAssertion(assertion: string): Assertion {
  try {
    return parseAssertion(assertion);
  } catch (error) {
    throw refused(error);
  }
}

/**
 * Verifies `private_key_jwt` (RFC 7523 §2.2, OpenID Connect Core §9): signed by a registered key that has not expired, issuer and subject are the
 * client, our issuer is the only audience (or, where the operator lets it, the token endpoint), and the assertion was not used before.
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

// Every failure of the proof is the same to a stranger.
function refused(error: unknown): unknown {
  if (error !== undefined && !(error instanceof JwtRefused)) return error;
  return new OAuthError("invalid_client", "client authentication failed", { cause: error });
}
