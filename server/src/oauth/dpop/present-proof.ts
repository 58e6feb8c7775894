import type { WebHandler, WebRequest } from "../../web/index.ts";
import type { OAuthDeps } from "../deps.ts";

type Deps = Pick<OAuthDeps, "dpop">;

/**
 * Returns the thumbprint of the key that a token request proves; undefined without a proof. Throws the verifier's
 * errors.
 */
export async function readProof({ dpop }: Deps, request: WebRequest): Promise<string | undefined> {
  const proof = request.header("dpop");
  if (proof === undefined) return undefined;
  const { call, method, instance, path } = request;
  return dpop.verify(call, { proof, method, url: instance.origin + path, accessToken: undefined });
}

/** Adds the next nonce for clients that send proofs (RFC 9449 §8.2), whatever the response is. */
export function withNonce({ dpop }: Deps, handler: WebHandler): WebHandler {
  return async (request) => {
    const response = await handler(request);
    if (request.header("dpop") === undefined) return response;
    return { ...response, headers: { ...response.headers, "dpop-nonce": dpop.nonce(request.call) } };
  };
}
