import type { Instant } from "../../base/clock.ts";
import type { IdGenerator } from "../../base/id.ts";
import type { Random } from "../../base/random.ts";
import { generateSamlKeyPair } from "../../base/saml/index.ts";
import type { Vault } from "../../base/vault.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { insertSamlKey } from "./saml-key.store.ts";
import { certificateLifetime, type SamlKeyRecord, samlKeyAggregate, samlKeyContext } from "./saml-key.ts";

export interface SamlKeyDeps {
  readonly database: Database;
  readonly vault: Vault;
  readonly newId: IdGenerator;
  readonly random: Random;
}

// A service provider whose clock is behind must not find the certificate in its future.
const before = (now: Instant): Instant => now - 24 * 3_600_000;

/** Makes a key in a state that no key of the instance has; undefined when one has it. */
export async function addSamlKey(
  { database, vault, newId, random }: SamlKeyDeps,
  call: Call,
  state: "active" | "next",
): Promise<SamlKeyRecord | undefined> {
  const keyId = newId();
  const expiresAt = call.now + certificateLifetime;
  const pair = await generateSamlKeyPair({
    random,
    commonName: `SAML signing key ${keyId}`,
    notBefore: before(call.now),
    notAfter: expiresAt,
  });
  return database.change(call, async (tx) => {
    const { certificate } = pair;
    const privateKey = vault.encrypt(pair.privateKey, samlKeyContext(tx.instanceId, keyId));
    const added = await insertSamlKey(tx, { keyId, state, certificate, privateKey, expiresAt });
    if (added !== undefined) {
      tx.record({
        type: "saml_key.created",
        ...samlKeyAggregate(tx.instanceId, keyId),
        sequence: added.sequence,
        payload: { state, expiresAt },
      });
    }
    return added;
  });
}
