import type { Budgets } from "../../base/budget/budgets.ts";
import type { Instant } from "../../base/clock.ts";
import type { IdGenerator } from "../../base/id.ts";
import type { Random } from "../../base/random.ts";
import { generateSamlKeyPair, samlKeyPairKind } from "../../base/saml/index.ts";
import type { Vault } from "../../base/vault.ts";
import { type Call, payForKeyPair } from "../../call/index.ts";
import type { Database, Tx } from "../../database/index.ts";
import { insertSamlKey, type NewSamlKey } from "./saml-key.store.ts";
import { certificateLifetime, type SamlKeyRecord, samlKeyAggregate, samlKeyContext } from "./saml-key.ts";

export interface SamlKeyDeps {
  readonly database: Database;
  readonly vault: Vault;
  readonly newId: IdGenerator;
  readonly random: Random;
}

/** Dependencies of administrators' methods, who pay for what they have made. */
export interface PaidSamlKeyDeps extends SamlKeyDeps {
  readonly budgets: Budgets;
}

// A service provider whose clock is behind must not find the certificate in its future.
const before = (now: Instant): Instant => now - 24 * 3_600_000;

/** Makes a key with its certificate, which takes some tenths of a second: never inside a change. */
async function makeSamlKey(
  { vault, newId, random }: SamlKeyDeps,
  call: Call,
  signal?: AbortSignal,
): Promise<NewSamlKey> {
  const keyId = newId();
  const expiresAt = call.now + certificateLifetime;
  const pair = await generateSamlKeyPair({
    random,
    commonName: `SAML signing key ${keyId}`,
    notBefore: before(call.now),
    notAfter: expiresAt,
    signal,
  });
  const { certificate } = pair;
  const privateKey = vault.encrypt(pair.privateKey, samlKeyContext(call.instanceId, keyId));
  return { keyId, certificate, privateKey, expiresAt };
}

/** Makes the same at the expense of the caller and the instance, and only while they wait for it. */
export const makePaidSamlKey = (deps: PaidSamlKeyDeps, call: Call): Promise<NewSamlKey> =>
  payForKeyPair(deps, call, { kind: samlKeyPairKind, owner: "instance" }, () => makeSamlKey(deps, call, call.gone?.()));

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
