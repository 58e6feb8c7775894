import { readFileSync } from "node:fs";
import { importPublicKey } from "../base/jose/index.ts";
import { type Config, ConfigError } from "../config/index.ts";
import type { SystemUser } from "../rpc/index.ts";

/**
 * Reads the public keys of the configured system users. Throws a `ConfigError` that names the user whose key cannot be
 * read.
 */
export function readSystemUsers({ systemUsers }: Config): SystemUser[] {
  return systemUsers.map(({ userId, keyFile }) => {
    try {
      return { userId, key: importPublicKey(readFileSync(keyFile, "utf8")) };
    } catch (cause) {
      throw new ConfigError(
        "DOORWARD_SYSTEM_USERS",
        `names ${keyFile} for ${userId}, which is no readable public key`,
        "use a PEM file with an RSA, P-256, P-384, P-521 or Ed25519 public key, or a certificate",
        cause,
      );
    }
  });
}
