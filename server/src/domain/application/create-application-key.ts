import type { Budgets } from "../../base/budget/budgets.ts";
import type { Instant } from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import type { IdGenerator } from "../../base/id.ts";
import { generateRsaKeyPair, importPublicKey, rsaKeyPairKind, toPublicPem } from "../../base/jose/index.ts";
import { Secret } from "../../base/secret.ts";
import { authorize, type Call, payForKeyPair } from "../../call/index.ts";
import type { Database, Details, Reader } from "../../database/index.ts";
import { advanceApplication, findApplication } from "./application.store.ts";
import { type Application, applicationAbsence, applicationAggregate } from "./application.ts";
import { countKeys, insertApplicationKey } from "./application-key.store.ts";
import { parseKeyExpiry } from "./application-key.ts";
import { type ApplicationReference, authorizeApplication, isNamed, refuseBuiltIn } from "./authorize-application.ts";
import { endApiTrust } from "./end-api-trust.ts";

export interface NewApplicationKey extends ApplicationReference {
  readonly expiresAt?: Instant;
  /** The caller's public key (PEM or JWK); when absent, a key pair is generated. */
  readonly publicKey?: string;
}

export interface CreatedApplicationKey {
  readonly keyId: string;
  /** Details of the key, which shares the sequence of its application. */
  readonly details: Details;
  /** The key file with the private key, in JSON: shown only now. Undefined when the caller supplied a public key. */
  readonly keyFile: Secret | undefined;
}

export interface CreateApplicationKeyDeps {
  readonly database: Database;
  readonly newId: IdGenerator;
  readonly budgets: Budgets;
}

// They are all read with the client, including those that expired.
const mostKeys = 500;
const permission = "project.app.write";

/** Adds a key with which an application signs assertions (private_key_jwt). Only the public key is stored. */
export async function createApplicationKey(
  deps: CreateApplicationKeyDeps,
  call: Call,
  input: NewApplicationKey,
): Promise<CreatedApplicationKey> {
  const expiresAt = parseKeyExpiry(input.expiresAt, call.now);
  // Before the key pair is generated: that takes a tenth of a second, which only what is not refused may cost us.
  const found = await findApplication(deps.database.read, call.instanceId, input.applicationId);
  const application = isNamed(found, input) ? found : undefined;
  authorize(call, application, { permission, ...applicationAbsence });
  await refuseBuiltIn(deps.database.read, call.instanceId, application);
  await refuseKey(deps.database.read, call.instanceId, application);
  const pair =
    input.publicKey === undefined ? await generatePair(deps, call, application) : readPublicKey(input.publicKey);
  const keyId = deps.newId();
  return deps.database.change(call, async (tx) => {
    const held = await authorizeApplication(tx, input);
    await refuseKey(tx, tx.instanceId, held);
    await endApiTrust(tx, held);
    await insertApplicationKey(tx, {
      keyId,
      applicationId: held.applicationId,
      publicKey: pair.publicPem,
      expiresAt,
    });
    const sequence = await advanceApplication(tx, held.applicationId);
    tx.record({
      type: "application.key.added",
      ...applicationAggregate(held),
      sequence,
      payload: { keyId, expiresAt },
    });
    const details = { sequence, createdAt: tx.now, changedAt: tx.now, ownerId: held.organizationId };
    return { keyId, details, keyFile: toKeyFile(held, keyId, pair.privatePem) };
  });
}

/** Refuses another key for an application that signs no assertions, or has as many keys as it may have. */
async function refuseKey(reader: Reader, instanceId: string, application: Application): Promise<void> {
  if (application.kind === "saml" || application.configuration.authMethod !== "private_key_jwt") {
    throw new Fault("failed_precondition", "application.key_not_used");
  }
  if ((await countKeys(reader, instanceId, application.applicationId)) >= mostKeys) {
    const values = { field: "keys", maximum: mostKeys };
    throw new Fault("failed_precondition", "field.too_many", { values });
  }
}

function generatePair(deps: CreateApplicationKeyDeps, call: Call, { organizationId, projectId }: Application) {
  const owner = { organizationId, projectId, permission };
  return payForKeyPair(deps, call, { kind: rsaKeyPairKind, owner }, () => generateRsaKeyPair(call.gone?.()));
}

const readPublicKey = (publicKey: string) => ({
  publicPem: toPublicPem(importPublicKey(publicKey).key),
  privatePem: undefined,
});

// The format that client libraries of this interface read.
function toKeyFile(application: Application, keyId: string, key: string | undefined): Secret | undefined {
  if (key === undefined) return undefined;
  const { applicationId: appId, clientId } = application;
  return new Secret(JSON.stringify({ type: "application", keyId, key, appId, clientId }));
}
