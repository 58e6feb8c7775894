import { createPrivateKey, createPublicKey, hash } from "node:crypto";
import { Fault } from "../../base/fault.ts";
import {
  createSigningKey,
  createVerificationKey,
  type PublicJwk,
  type SigningAlgorithm,
  type SigningKey,
  type VerificationKey,
} from "../../base/jose/index.ts";
import type { Vault } from "../../base/vault.ts";
import { createCache, type Database } from "../../database/index.ts";
import { listStoredKeys, type StoredKey } from "./signing-key.store.ts";
import { privateKeyContext } from "./signing-key.ts";

/**
 * How long relying parties may cache the key set (`Cache-Control: max-age`). A key is published that long before it
 * signs.
 */
export const keySetMaxAgeSeconds = 300;

/** The keys of one instance, ready for use. */
export interface InstanceKeys {
  /** The key that signs with the algorithm. Throws the Fault `signing_key.none_active`. */
  signingKey(algorithm: SigningAlgorithm): SigningKey;
  /** Algorithms that an active key signs with. */
  readonly activeAlgorithms: readonly SigningAlgorithm[];
  /** Every published key by its id. */
  readonly verificationKeys: ReadonlyMap<string, VerificationKey>;
  /** The key set (RFC 7517 §5) as it is sent. */
  readonly keySet: { readonly body: string; readonly etag: string };
}

/**
 * Returns the keys of an instance: usually from memory, never older than the last committed change that this node can
 * know of.
 */
export type KeyRing = (instanceId: string) => InstanceKeys | Promise<InstanceKeys>;

/** Creates the ring: keys are read on first use, and again after an event of a signing key. */
export function createKeyRing(deps: { readonly database: Database; readonly vault: Vault }): KeyRing {
  const cache = createCache<InstanceKeys>(deps.database, {
    load: async (instanceId) =>
      toInstanceKeys(deps.vault, instanceId, await listStoredKeys(deps.database.read, instanceId)),
    aggregateTypes: ["signing_key"],
    isStaleAfter: (event, _keys, instanceId) => event.instanceId === instanceId,
    lengthOf: "bounded",
  });
  return (instanceId) => cache.get(instanceId) as InstanceKeys | Promise<InstanceKeys>;
}

function toInstanceKeys(vault: Vault, instanceId: string, stored: readonly StoredKey[]): InstanceKeys {
  const jwks = stored.map(({ publicJwk }) => JSON.parse(publicJwk) as PublicJwk);
  const verificationKeys = stored.map(({ keyId, algorithm }, index) =>
    createVerificationKey(keyId, algorithm, createPublicKey({ format: "jwk", key: { ...jwks[index] } })),
  );
  const published = stored.map(({ keyId, algorithm }, index) => ({
    kid: keyId,
    use: "sig",
    alg: algorithm,
    ...jwks[index],
  }));
  const body = JSON.stringify({ keys: published });
  return {
    signingKey: createSigningKeys(vault, instanceId, stored),
    activeAlgorithms: [...new Set(stored.filter(({ state }) => state === "active").map(({ algorithm }) => algorithm))],
    verificationKeys: new Map(verificationKeys.map((key) => [key.keyId, key])),
    keySet: { body, etag: `"${hash("sha256", body, "base64url")}"` },
  };
}

// Private keys are decrypted on first use, so that the key set is served even while a master key is missing.
function createSigningKeys(
  vault: Vault,
  instanceId: string,
  stored: readonly StoredKey[],
): (algorithm: SigningAlgorithm) => SigningKey {
  const ready = new Map<SigningAlgorithm, SigningKey>();
  const open = (algorithm: SigningAlgorithm): SigningKey => {
    const key = stored.find((candidate) => candidate.state === "active" && candidate.algorithm === algorithm);
    if (key === undefined) throw new Fault("failed_precondition", "signing_key.none_active", { values: { algorithm } });
    const pem = vault.decrypt(key.privateKey, privateKeyContext(instanceId, key.keyId));
    const signingKey = createSigningKey(key.keyId, algorithm, createPrivateKey(pem.reveal()));
    ready.set(algorithm, signingKey);
    return signingKey;
  };
  return (algorithm) => ready.get(algorithm) ?? open(algorithm);
}
