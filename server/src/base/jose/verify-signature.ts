import { constants, verify } from "node:crypto";
import { promisify } from "node:util";
import type { SignatureAlgorithm } from "./algorithm.ts";
import type { CompactJws } from "./compact.ts";
import type { PublicKey } from "./public-key.ts";
import { JwtRefused } from "./refusal.ts";

/** Returns the algorithm that a token names, when it is allowed here and matches the key. Throws JwtRefused. */
export function chooseAlgorithm(
  named: string,
  allowed: readonly SignatureAlgorithm[],
  ofKey: readonly SignatureAlgorithm[],
): SignatureAlgorithm {
  const algorithm = ofKey.find((candidate) => candidate === named && allowed.includes(candidate));
  if (algorithm === undefined) throw new JwtRefused("algorithm");
  return algorithm;
}

/** Parameters with which node:crypto verifies a third party's signature. */
interface Scheme {
  readonly hash: string | null;
  readonly options: { readonly dsaEncoding?: "ieee-p1363"; readonly padding?: number; readonly saltLength?: number };
  /** Slow (0.5 ms and more), so that the thread pool does it. */
  readonly isSlow?: true;
}

const ecdsa = { dsaEncoding: "ieee-p1363" } as const;
// RFC 7518 §3.5: the salt is as long as the hash.
const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST } as const;
const pkcs1 = { padding: constants.RSA_PKCS1_PADDING } as const;

const schemes = {
  RS256: { hash: "sha256", options: pkcs1 },
  RS384: { hash: "sha384", options: pkcs1 },
  RS512: { hash: "sha512", options: pkcs1 },
  PS256: { hash: "sha256", options: pss },
  PS384: { hash: "sha384", options: pss },
  PS512: { hash: "sha512", options: pss },
  ES256: { hash: "sha256", options: ecdsa },
  ES384: { hash: "sha384", options: ecdsa, isSlow: true },
  ES512: { hash: "sha512", options: ecdsa, isSlow: true },
  EdDSA: { hash: null, options: {} },
  Ed25519: { hash: null, options: {} },
} as const satisfies Record<SignatureAlgorithm, Scheme>;

const verifyInPool = promisify(verify);

/** Verifies the signature of a third party's token. Throws JwtRefused. */
export async function verifySignature(
  { signingInput, signature }: Pick<CompactJws, "signingInput" | "signature">,
  { key }: Pick<PublicKey, "key">,
  algorithm: SignatureAlgorithm,
): Promise<void> {
  const { hash, options, isSlow }: Scheme = schemes[algorithm];
  const input = Buffer.from(signingInput, "latin1");
  const how = { key, ...options };
  const isGood =
    isSlow === true ? await verifyInPool(hash, input, how, signature) : verify(hash, input, how, signature);
  if (!isGood) throw new JwtRefused("signature");
}
