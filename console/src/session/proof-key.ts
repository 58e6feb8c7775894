import { base64url, digest } from "./encoding.ts";

/** A key that lives as long as this document, and signs what it sends (DPoP, RFC 9449). It cannot be extracted. */
export interface ProofKey {
  /** Returns the proof for one request. `accessToken` is the token that the request carries, if any. */
  prove(request: { readonly method: string; readonly url: string; readonly accessToken?: string }): Promise<string>;
  /** Takes the nonce of a response, which the following proofs contain (§8). */
  takeNonce(response: Response): void;
}

const encode = (value: unknown): string => base64url(new TextEncoder().encode(JSON.stringify(value)));

/** Makes a key of P-256. */
export async function createProofKey(): Promise<ProofKey> {
  const pair = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, false, ["sign"]);
  const { kty, crv, x, y } = await crypto.subtle.exportKey("jwk", pair.publicKey);
  const header = encode({ typ: "dpop+jwt", alg: "ES256", jwk: { kty, crv, x, y } });
  let nonce: string | undefined;
  return {
    async prove({ method, url, accessToken }) {
      const { origin, pathname } = new URL(url, location.origin);
      const payload = encode({
        jti: crypto.randomUUID(),
        htm: method,
        htu: `${origin}${pathname}`,
        iat: Math.floor(Date.now() / 1000),
        ...(nonce && { nonce }),
        ...(accessToken && { ath: await digest(accessToken) }),
      });
      const input = new TextEncoder().encode(`${header}.${payload}`);
      const signature = await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, pair.privateKey, input);
      return `${header}.${payload}.${base64url(new Uint8Array(signature))}`;
    },
    takeNonce(response) {
      nonce = response.headers.get("dpop-nonce") ?? nonce;
    },
  };
}
