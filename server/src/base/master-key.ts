import { createHmac, createSecretKey, hkdfSync, type KeyObject } from "node:crypto";
import type { Random } from "./random.ts";

const size = 32;
// 32 random bytes have about 30 distinct values; fewer than this is a placeholder, not a key (odds below 2^-90).
const leastDistinctBytes = 8;

/** The key under which secrets are encrypted at rest. Lives outside the database: in the environment or in a file. */
export interface MasterKey {
  /** Identifies the master key in the texts it encrypted; reveals nothing about the key. */
  readonly id: string;
  readonly key: KeyObject;
}

/** Thrown for a text that is not a master key. Never contains the text. */
export class MasterKeyError extends Error {
  override readonly name = "MasterKeyError";
}

/**
 * Parses a master key: 32 bytes in base64 or base64url, with or without padding. Ignores surrounding white space (of a
 * file).
 */
export function parseMasterKey(text: string): MasterKey {
  const urlSafe = text.trim().replaceAll("+", "-").replaceAll("/", "_");
  const unpadded = urlSafe.length % 4 === 0 ? urlSafe.replace(/={1,2}$/, "") : urlSafe;
  const bytes = Buffer.from(unpadded, "base64url");
  if (bytes.toString("base64url") !== unpadded) throw new MasterKeyError("the master key is not base64");
  if (bytes.length !== size) throw new MasterKeyError(`the master key has ${bytes.length} bytes; it must have ${size}`);
  if (new Set(bytes).size < leastDistinctBytes) {
    throw new MasterKeyError("the master key is not random; make one with: openssl rand -base64 32");
  }
  return toMasterKey(bytes);
}

/** Generates a master key as text for `parseMasterKey`: 44 characters of base64. */
export const generateMasterKey = (random: Random): string => random(size).toString("base64");

/** Derives a key for one purpose from a master key (RFC 5869), so that a leak in one use does not affect the others. */
export function deriveKey({ key }: MasterKey, purpose: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync("sha256", key, "", `doorward ${purpose}`, size)));
}

function toMasterKey(bytes: Buffer): MasterKey {
  const key = createSecretKey(bytes);
  const id = createHmac("sha256", key).update("doorward master key id").digest().subarray(0, 6).toString("base64url");
  return { id, key };
}
