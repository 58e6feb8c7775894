import { Fault } from "../fault.ts";
import { jwkThumbprint } from "./jwk.ts";
import { importPublicKey, type PublicKey } from "./public-key.ts";
import { JwtRefused } from "./refusal.ts";

/** The key that a proof brings along, checked. */
export interface ProofKey extends PublicKey {
  /** SHA-256 thumbprint (RFC 7638), `jkt` of RFC 9449 §6.1. */
  readonly thumbprint: string;
}

/** Reads the `jwk` of a proof. Throws JwtRefused. */
export type ReadProofKey = (jwk: Readonly<Record<string, unknown>>) => ProofKey;

// A JWK of RSA with 8192 bits has 1,400 characters; what is longer is read anew each time.
const longestKept = 2_000;

/**
 * Makes a reader that keeps the keys it saw last, because a client proves itself with the same key each time, and reading a key costs more
 * than checking a signature with it. Whoever comes with ever new keys only makes others be read once more.
 */
export function createProofKeyReader(mostKept = 1_000): ReadProofKey {
  const kept = new Map<string, ProofKey>();
  return (jwk) => {
    const text = JSON.stringify(jwk);
    const known = kept.get(text);
    const key = known ?? readProofKey(jwk);
    if (text.length > longestKept) return key;
    // In the order of their last use, so that the first is the one to forget.
    if (known !== undefined) kept.delete(text);
    else if (kept.size >= mostKept) kept.delete(kept.keys().next().value ?? "");
    kept.set(text, key);
    return key;
  };
}

function readProofKey(jwk: Readonly<Record<string, unknown>>): ProofKey {
  try {
    const key = importPublicKey(jwk);
    return { ...key, thumbprint: jwkThumbprint(key.key) };
  } catch (error) {
    if (error instanceof Fault) throw new JwtRefused("key_unknown", { cause: error });
    throw error;
  }
}
