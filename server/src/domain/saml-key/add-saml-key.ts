import type { Instant } from "../../base/clock.ts";
import type { IdGenerator } from "../../base/id.ts";
import type { Random } from "../../base/random.ts";
import { generateSamlKeyPair } from "../../base/saml/index.ts";
import type { Vault } from "../../base/vault.ts";
import type { Call } from "../../call/index.ts";
import type { Database, Tx } from "../../database/index.ts";
import { insertSamlKey, type NewSamlKey } from "./saml-key.store.ts";
import { certificateLifetime, type SamlKeyRecord, samlKeyAggregate, samlKeyContext } from "./saml-key.ts";

export interface SamlKeyDeps {
  readonly database: Database;
  readonly vault: Vault;
  readonly newId: IdGenerator;
  readonly random: Random;
}

// A service provider whose clock is behind must not find the certificate in its future.
const before = (now: Instant): Instant => now - 24 * 3_600_000;

/** Makes a key with its certificate, which takes some tenths of a second: never inside a change. */
export async function makeSamlKey({ vault, newId, random }: SamlKeyDeps, call: Call): Promise<NewSamlKey> {
  const keyId = newId();
  const expiresAt = call.now + certificateLifetime;
  const pair = await generateSamlKeyPair({
    random,
    commonName: `SAML signing key ${keyId}`,
    notBefore: before(call.now),
    notAfter: expiresAt,
  });
  const { certificate } = pair;
  const privateKey = vault.encrypt(pair.privateKey, samlKeyContext(call.instanceId, keyId));
  return { keyId, certificate, privateKey, expiresAt };
}

/** Step: adds a key in a state that no key of the instance has; undefined when one has it. */
export async function addMadeKey(
  tx: Tx,
  key: NewSamlKey,
  position: { readonly state: "active" | "next"; readonly signsAt: Instant | null },
): Promise<SamlKeyRecord | undefined> {
  const added = await insertSamlKey(tx, key, position);
  if (added !== undefined) {
    const { state, signsAt } = position;
    tx.record({
      type: "saml_key.created",
      ...samlKeyAggregate(tx.instanceId, key.keyId),
      sequence: added.sequence,
      payload: { state, expiresAt: key.expiresAt, ...(signsAt !== null && { signsAt }) },
    });
  }
  return added;
}

/** Makes a key in a state that no key of the instance has; undefined when one has it. */
export async function addSamlKey(
  deps: SamlKeyDeps,
  call: Call,
  state: "active" | "next",
): Promise<SamlKeyRecord | undefined> {
  const key = await makeSamlKey(deps, call);
  return deps.database.change(call, (tx) => addMadeKey(tx, key, { state, signsAt: null }));
}
