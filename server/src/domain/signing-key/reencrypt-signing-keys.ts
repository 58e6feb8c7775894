import type { Vault } from "../../base/vault.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { listStoredKeys, updatePrivateKey } from "./signing-key.store.ts";
import { privateKeyContext } from "./signing-key.ts";

/** Writes private keys that stand under a former master key again under the newest one. Returns how many there were. */
export async function reencryptSigningKeys(
  { database, vault }: { readonly database: Database; readonly vault: Vault },
  call: Call,
): Promise<number> {
  const keys = await listStoredKeys(database.read, call.instanceId);
  const old = keys.filter(({ privateKey }) => vault.needsReencryption(privateKey));
  await database.touch(call, async (tx) => {
    for (const { keyId, privateKey } of old) {
      const context = privateKeyContext(tx.instanceId, keyId);
      await updatePrivateKey(tx, keyId, privateKey, vault.encrypt(vault.decrypt(privateKey, context), context));
    }
  });
  return old.length;
}
