import { generateKeyPair, type KeyPairKind } from "../key-pair.ts";
import { toPublicPem } from "./public-key.ts";

/** The pairs of key files. */
export const rsaKeyPairKind = { kind: "rsa", bits: 2048 } as const satisfies KeyPairKind;

/** A new key pair, delivered to its user as a key file; only the public half is stored. */
export interface RsaKeyPair {
  /** SubjectPublicKeyInfo. */
  readonly publicPem: string;
  /** PKCS #1, because libraries that read key files expect it ("BEGIN RSA PRIVATE KEY"). */
  readonly privatePem: string;
}

/** Generates an RSA key pair of 2048 bits when its turn comes (`generateKeyPair`): never inside a change. */
export async function generateRsaKeyPair(signal?: AbortSignal): Promise<RsaKeyPair> {
  const { publicKey, privateKey } = await generateKeyPair(rsaKeyPairKind, signal);
  return {
    publicPem: toPublicPem(publicKey),
    privatePem: privateKey.export({ type: "pkcs1", format: "pem" }).toString(),
  };
}
