import { generateKeyPair } from "node:crypto";
import { promisify } from "node:util";
import { toPublicPem } from "./public-key.ts";

const generate = promisify(generateKeyPair);

/** A new key pair, delivered to its user as a key file; only the public half is stored. */
export interface RsaKeyPair {
  /** SubjectPublicKeyInfo. */
  readonly publicPem: string;
  /** PKCS #1, because libraries that read key files expect it ("BEGIN RSA PRIVATE KEY"). */
  readonly privatePem: string;
}

/** Generates an RSA key pair of 2048 bits. Takes a tenth of a second in the thread pool: never inside a change. */
export async function generateRsaKeyPair(): Promise<RsaKeyPair> {
  const { publicKey, privateKey } = await generate("rsa", { modulusLength: 2048, publicExponent: 0x10001 });
  return {
    publicPem: toPublicPem(publicKey),
    privatePem: privateKey.export({ type: "pkcs1", format: "pem" }).toString(),
  };
}
