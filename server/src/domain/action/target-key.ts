import { hash } from "node:crypto";
import type { Instant } from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import { importPublicKey, toPublicPem } from "../../base/jose/index.ts";

/** A public key that payloads to a target can be encrypted to. At most one key of a target is active. */
export interface TargetKey {
  readonly targetId: string;
  readonly keyId: string;
  readonly isActive: boolean;
  /** SPKI in PEM. */
  readonly publicKey: string;
  /** SHA-256 of the key (SPKI in DER) in hexadecimal. */
  readonly fingerprint: string;
  readonly expiresAt?: Instant;
  readonly createdAt: Instant;
  readonly changedAt: Instant;
}

/**
 * Reads a public key for encryption: RSA or P-256, P-384, P-521, in PEM. Throws the Faults of `importPublicKey`, and
 * `public_key.not_for_encryption`.
 */
export function readEncryptionKey(pem: string): Pick<TargetKey, "publicKey" | "fingerprint"> {
  const { key } = importPublicKey(pem, "publicKey");
  if (key.asymmetricKeyType !== "rsa" && key.asymmetricKeyType !== "ec") {
    throw new Fault("invalid_argument", "public_key.not_for_encryption", { field: "publicKey" });
  }
  const der = key.export({ type: "spki", format: "der" });
  return { publicKey: toPublicPem(key), fingerprint: hash("sha256", der, "hex") };
}

export const targetKeyAbsent = (): Fault => new Fault("not_found", "target.key_not_found", { field: "keyId" });
