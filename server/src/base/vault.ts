import { createCipheriv, createDecipheriv, type KeyObject } from "node:crypto";
import { decodeBase64Url, encodeBase64Url } from "./base64url.ts";
import type { MasterKey } from "./master-key.ts";
import type { Random } from "./random.ts";
import { Secret } from "./secret.ts";

const version = "v1";
const algorithm = "aes-256-gcm";
// NIST SP 800-38D §8.2.2: random 96-bit values; a key is good for 2^32 of them, far above what settings and keys need.
const ivSize = 12;
const tagSize = 16;

export type VaultRefusal = "malformed" | "unknown_master_key" | "altered";

/**
 * Thrown for a stored value that cannot be decrypted: damaged, moved to another place, or encrypted under a master key
 * that is not configured.
 */
export class VaultError extends Error {
  override readonly name = "VaultError";
  readonly reason: VaultRefusal;

  constructor(reason: VaultRefusal, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** Encrypts secrets at rest. */
export interface Vault {
  /**
   * Encrypts under the newest master key: `v1.<master key id>.<iv>.<ciphertext and tag>`. `context` names where the
   * value is stored (`signing_keys/<instance>/<id>/private_key`); it cannot be decrypted anywhere else.
   */
  encrypt(secret: Secret | string, context: string): string;
  /** Decrypts a value that was encrypted for this context and is unchanged. Throws VaultError. */
  decrypt(value: string, context: string): Secret;
  /** Whether the value should be encrypted again, because it uses an older master key or format. */
  needsReencryption(value: string): boolean;
  /** Prefix of values under the newest master key. */
  readonly newest: string;
  /** Whether there are former master keys besides the newest. */
  readonly hasFormerKeys: boolean;
}

export interface VaultOptions {
  /** Encrypts new values. */
  readonly writing: MasterKey;
  /** Former master keys, which still decrypt. */
  readonly reading?: readonly MasterKey[];
  readonly random: Random;
}

export function createVault({ writing, reading = [], random }: VaultOptions): Vault {
  const keys = new Map<string, KeyObject>([...reading, writing].map(({ id, key }) => [id, key]));
  const newest = `${version}.${writing.id}.`;
  return {
    newest,
    hasFormerKeys: reading.some(({ id }) => id !== writing.id),
    encrypt(secret, context) {
      const iv = random(ivSize);
      const cipher = createCipheriv(algorithm, writing.key, iv, { authTagLength: tagSize });
      cipher.setAAD(additionalData(newest, context));
      const plaintext = typeof secret === "string" ? secret : secret.reveal();
      const ciphertext = Buffer.concat([cipher.update(plaintext, "utf8"), cipher.final(), cipher.getAuthTag()]);
      return `${newest}${encodeBase64Url(iv)}.${encodeBase64Url(ciphertext)}`;
    },
    decrypt(value, context) {
      const { prefix, keyId, iv, ciphertext, tag } = parse(value);
      const key = keys.get(keyId);
      if (key === undefined) throw new VaultError("unknown_master_key", `no master key ${keyId} is configured`);
      const decipher = createDecipheriv(algorithm, key, iv, { authTagLength: tagSize });
      decipher.setAAD(additionalData(prefix, context));
      decipher.setAuthTag(tag);
      try {
        return new Secret(Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString("utf8"));
      } catch (cause) {
        throw new VaultError("altered", "the value was changed, or belongs to another place", { cause });
      }
    },
    needsReencryption: (value) => !value.startsWith(newest),
  };
}

// Version and key id are authenticated as well, so that no part of the value can be exchanged.
function additionalData(prefix: string, context: string): Buffer {
  if (context === "") throw new TypeError("an encrypted value needs the context that it belongs to");
  return Buffer.from(prefix + context, "utf8");
}

function parse(value: string) {
  const [found, keyId = "", ivText = "", ciphertextText = "", ...rest] = value.split(".", 5);
  const iv = decodeBase64Url(ivText);
  const sealed = decodeBase64Url(ciphertextText);
  if (
    found !== version ||
    rest.length > 0 ||
    iv?.length !== ivSize ||
    sealed === undefined ||
    sealed.length < tagSize
  ) {
    throw new VaultError("malformed", "the value is not of the form v1.<master key id>.<iv>.<ciphertext>");
  }
  const end = sealed.length - tagSize;
  return { prefix: `${version}.${keyId}.`, keyId, iv, ciphertext: sealed.subarray(0, end), tag: sealed.subarray(end) };
}
