import { type KeyObject, type SignKeyObjectInput, sign } from "node:crypto";
import { encodeBase64Url } from "../base64url.ts";
import { algorithmParameters, type SigningAlgorithm, toCryptoInput } from "./algorithm.ts";

/**
 * Types of the tokens that we sign (RFC 8725 §3.11): ID token, access token (RFC 9068), logout token, payload of an
 * action, userinfo response, and client assertion for other servers.
 */
export type JwtType = "JWT" | "at+jwt" | "logout+jwt" | "action+jwt" | "userinfo+jwt" | "client-authentication+jwt";

/** A private key, ready to sign. */
export interface SigningKey {
  readonly keyId: string;
  readonly algorithm: SigningAlgorithm;
  readonly input: SignKeyObjectInput;
  /** First segment of the tokens of each type: identical for every token of the key. */
  readonly headers: Readonly<Record<JwtType, string>>;
}

export function createSigningKey(keyId: string, algorithm: SigningAlgorithm, privateKey: KeyObject): SigningKey {
  const header = (typ: JwtType): string => encodeBase64Url(JSON.stringify({ alg: algorithm, typ, kid: keyId }));
  return {
    keyId,
    algorithm,
    input: toCryptoInput(algorithm, privateKey),
    headers: {
      JWT: header("JWT"),
      "at+jwt": header("at+jwt"),
      "logout+jwt": header("logout+jwt"),
      "action+jwt": header("action+jwt"),
      "userinfo+jwt": header("userinfo+jwt"),
      "client-authentication+jwt": header("client-authentication+jwt"),
    },
  };
}

/**
 * Signs claims unchanged: immediately for ES256 and EdDSA; in the thread pool, as a promise, for the slow algorithms.
 */
export function signJwt(key: SigningKey, type: JwtType, claims: object): string | Promise<string> {
  const { hash, isSlow } = algorithmParameters[key.algorithm];
  const signingInput = `${key.headers[type]}.${encodeBase64Url(JSON.stringify(claims))}`;
  const bytes = Buffer.from(signingInput, "latin1");
  if (!isSlow) return `${signingInput}.${encodeBase64Url(sign(hash, bytes, key.input))}`;
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  sign(hash, bytes, key.input, (error, signature) =>
    error === null ? resolve(`${signingInput}.${encodeBase64Url(signature)}`) : reject(error),
  );
  return promise;
}
