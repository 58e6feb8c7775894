import { compactVerify, errors } from "jose";
import type { SignatureAlgorithm } from "./algorithm.ts";
import type { PublicKey } from "./public-key.ts";
import { JwtRefused } from "./refusal.ts";

/** The algorithm that a token names, when it is allowed here and the key is one for it. Throws JwtRefused. */
export function chooseAlgorithm(
  named: string,
  allowed: readonly SignatureAlgorithm[],
  ofKey: readonly SignatureAlgorithm[],
): SignatureAlgorithm {
  const algorithm = ofKey.find((candidate) => candidate === named && allowed.includes(candidate));
  if (algorithm === undefined) throw new JwtRefused("algorithm");
  return algorithm;
}

/** Checks the signature of somebody else's token. Throws JwtRefused. */
export async function verifySignature(token: string, { key }: PublicKey, algorithm: SignatureAlgorithm): Promise<void> {
  try {
    await compactVerify(token, key, { algorithms: [algorithm] });
  } catch (error) {
    if (error instanceof errors.JOSEError) throw new JwtRefused("signature", { cause: error });
    throw error;
  }
}
