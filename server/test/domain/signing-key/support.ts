import type { TestContext } from "node:test";
import { createIdGenerator } from "../../../src/base/id.ts";
import { generateMasterKey, parseMasterKey } from "../../../src/base/master-key.ts";
import { systemRandom } from "../../../src/base/random.ts";
import { createVault } from "../../../src/base/vault.ts";
import type { Call } from "../../../src/call/index.ts";
import { type Database, sql } from "../../../src/database/index.ts";
import {
  activateSigningKey,
  createKeyRing,
  createSigningKey,
  type SigningKeyParameters,
} from "../../../src/domain/signing-key/index.ts";
import type { OpenDatabase } from "../../support/databases/databases.ts";
import { testCall } from "../../support/operations/call.ts";

const start = testCall().now;
export const at = (milliseconds: number, given: Partial<Call> = {}): Call =>
  testCall({ now: start + milliseconds, ...given });

export const p256: SigningKeyParameters = { kind: "ecdsa", curve: "P-256" };
export const ed25519: SigningKeyParameters = { kind: "ed25519" };
export const rsa: SigningKeyParameters = { kind: "rsa", bits: 2048, hash: "sha256" };

const masterKey = parseMasterKey(generateMasterKey(systemRandom));
export const vault = createVault({ writing: masterKey, random: systemRandom });

/** One node: a database and what the module needs beside it. */
export function toNode(database: Database) {
  let milliseconds = start;
  const newId = createIdGenerator(() => milliseconds++, systemRandom);
  return { database, newId, vault, ring: createKeyRing({ database, vault }) };
}

export const openNode = async (open: OpenDatabase, t: TestContext) => toNode(await open(t));

/**
 * Creates a key and activates it in the same moment: the state in which a key that the product made for itself begins.
 */
export async function createActiveKey(node: ReturnType<typeof toNode>, call: Call, parameters: SigningKeyParameters) {
  const { keyId } = await createSigningKey(node, call, parameters);
  return { keyId, details: await activateSigningKey(node, call, { keyId }) };
}

/** What the feed says of signing keys: type, key id and payload, in order. */
export async function listKeyEvents(database: Database): Promise<{ type: string; keyId: string; payload: string }[]> {
  return database.read.all(sql`select type, aggregate_id as "keyId", payload from events
    where aggregate_type = 'signing_key' order by position`);
}
