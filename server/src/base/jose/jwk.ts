import { createPublicKey, hash, type KeyObject } from "node:crypto";

/**
 * A public key as a JSON Web Key (RFC 7517, RFC 7518 §6, RFC 8037 §2), with only the members needed for verification.
 */
export type PublicJwk =
  | { readonly kty: "RSA"; readonly n: string; readonly e: string }
  | { readonly kty: "EC"; readonly crv: string; readonly x: string; readonly y: string }
  | { readonly kty: "OKP"; readonly crv: string; readonly x: string };

/** Returns the public half of an RSA, EC or Ed25519 key as a JWK, with its members in the order of the thumbprint. */
export function toPublicJwk(key: KeyObject): PublicJwk {
  const { kty, crv = "", n = "", e = "", x = "", y = "" } = publicHalf(key).export({ format: "jwk" });
  switch (kty) {
    case "RSA":
      return { e, kty, n };
    case "EC":
      return { crv, kty, x, y };
    case "OKP":
      return { crv, kty, x };
    default:
      throw new TypeError(`keys of type ${kty} have no public half that we use`);
  }
}

/** Returns the SHA-256 thumbprint of a key (RFC 7638 §3): over the required members, sorted, without white space. */
export function jwkThumbprint(key: KeyObject): string {
  return hash("sha256", JSON.stringify(toPublicJwk(key)), "base64url");
}

const requiredMembers: Readonly<Record<string, readonly string[]>> = {
  RSA: ["e", "kty", "n"],
  EC: ["crv", "kty", "x", "y"],
  OKP: ["crv", "kty", "x"],
};

/** Returns the thumbprint of a stored JWK that `importPublicKey` has accepted, without importing it once more. */
export function storedJwkThumbprint(jwk: Readonly<Record<string, unknown>>): string {
  const names = requiredMembers[String(jwk["kty"])] ?? [];
  return hash("sha256", JSON.stringify(Object.fromEntries(names.map((name) => [name, jwk[name]]))), "base64url");
}

const publicHalf = (key: KeyObject): KeyObject => (key.type === "private" ? createPublicKey(key) : key);
