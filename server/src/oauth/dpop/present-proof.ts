import { OAuthError } from "../../base/oauth-error.ts";
import { type CheckedProof, mayProveBy } from "../../bearer/index.ts";
import type { WebHandler, WebRequest } from "../../web/index.ts";
import type { AuthenticatedClient } from "../client-authentication/authenticate-client.ts";
import type { OAuthDeps } from "../deps.ts";

type Deps = Pick<OAuthDeps, "dpop">;

/**
 * Returns the proof of a token request, checked but not spent; undefined without a proof. The caller spends it once the
 * client is proven, so that strangers cannot fill storage with proofs. Throws the verifier's errors.
 */
export async function readProof({ dpop }: Deps, request: WebRequest): Promise<CheckedProof | undefined> {
  const proof = request.header("dpop");
  if (proof === undefined) return undefined;
  const { call, method, instance, path } = request;
  return dpop.check(call, { proof, method, url: instance.origin + path, accessToken: undefined });
}

/** Spends the proof of a client that authenticated. */
export async function spendProof(proof: CheckedProof | undefined, client: AuthenticatedClient): Promise<void> {
  if (proof === undefined) return;
  if (!mayProveBy(client, proof.algorithm)) {
    throw new OAuthError("invalid_dpop_proof", "the client may not use the algorithm of the proof");
  }
  await proof.spend();
}

/** Adds the next nonce for clients that send proofs (RFC 9449 §8.2), whatever the response is. */
export function withNonce({ dpop }: Deps, handler: WebHandler): WebHandler {
  return async (request) => {
    const response = await handler(request);
    if (request.header("dpop") === undefined) return response;
    return { ...response, headers: { ...response.headers, "dpop-nonce": dpop.nonce(request.call) } };
  };
}
