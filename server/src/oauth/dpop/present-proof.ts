import type { WebHandler, WebRequest } from "../../web/index.ts";
import type { OAuthDeps } from "../deps.ts";

type Deps = Pick<OAuthDeps, "dpop">;

/** Thumbprint of the key that a request for tokens proves; undefined when it has no proof. Throws what the verifier throws. */
export async function readProof({ dpop }: Deps, request: WebRequest): Promise<string | undefined> {
  const proof = request.header("dpop");
  if (proof === undefined) return undefined;
  const { call, method, instance, path } = request;
  return dpop.verify(call, { proof, method, url: instance.origin + path, accessToken: undefined });
}

/** Tells whoever sends proofs which nonce to use next (RFC 9449 §8.2), whatever the answer is. */
export function withNonce({ dpop }: Deps, handler: WebHandler): WebHandler {
  return async (request) => {
    const response = await handler(request);
    if (request.header("dpop") === undefined) return response;
    return { ...response, headers: { ...response.headers, "dpop-nonce": dpop.nonce(request.call) } };
  };
}
