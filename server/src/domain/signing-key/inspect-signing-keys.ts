import type { SigningAlgorithm } from "../../base/jose/index.ts";
import { type Vault, VaultError, type VaultRefusal } from "../../base/vault.ts";
import type { Reader } from "../../database/index.ts";
import { listStoredKeys } from "./signing-key.store.ts";
import { privateKeyContext } from "./signing-key.ts";

export interface SigningKeyHealth {
  /** Algorithms with an active key. */
  readonly activeAlgorithms: readonly SigningAlgorithm[];
  /** Keys that the master key does not open, and why. */
  readonly unreadable: readonly { readonly keyId: string; readonly reason: VaultRefusal }[];
}

/**
 * Reports whether the keys of an instance can sign: which are active, and which the configured master keys do not open.
 */
export async function inspectSigningKeys(
  { read, vault }: { readonly read: Reader; readonly vault: Pick<Vault, "decrypt"> },
  instanceId: string,
): Promise<SigningKeyHealth> {
  const keys = await listStoredKeys(read, instanceId);
  return {
    activeAlgorithms: [...new Set(keys.filter(({ state }) => state === "active").map(({ algorithm }) => algorithm))],
    unreadable: keys.flatMap(({ keyId, privateKey }) => {
      const reason = refusalOf(() => vault.decrypt(privateKey, privateKeyContext(instanceId, keyId)));
      return reason === undefined ? [] : { keyId, reason };
    }),
  };
}

function refusalOf(decrypt: () => unknown): VaultRefusal | undefined {
  try {
    decrypt();
    return undefined;
  } catch (error) {
    if (error instanceof VaultError) return error.reason;
    throw error;
  }
}
