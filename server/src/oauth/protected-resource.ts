import { iam, scopeOfRight } from "../authority/index.ts";
import { proofAlgorithms } from "../bearer/index.ts";
import { rights } from "../call/index.ts";
import type { WebHandler } from "../web/index.ts";

/**
 * Creates the metadata of our own APIs as a protected resource (RFC 9728 §2): the issuer of their tokens, the scopes
 * for their audience and for rights there, and how to send a token. The 401 of every API call refers to it.
 */
export function createProtectedResourceEndpoint(): WebHandler {
  return async ({ instance: { origin } }) => ({
    status: 200,
    headers: {
      "content-type": "application/json",
      "cache-control": "public, max-age=300, must-revalidate",
      "x-content-type-options": "nosniff",
    },
    body: JSON.stringify({
      resource: origin,
      authorization_servers: [origin],
      scopes_supported: [`${iam}:org:project:id:service:aud`, ...rights.map((right) => scopeOfRight(right))],
      bearer_methods_supported: ["header"],
      dpop_signing_alg_values_supported: proofAlgorithms,
      dpop_bound_access_tokens_required: false,
    }),
  });
}
