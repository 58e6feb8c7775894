import { toIso } from "../../base/clock.ts";
import type { IdGenerator } from "../../base/id.ts";
import { Secret } from "../../base/secret.ts";
import type { Tx } from "../../database/index.ts";
import { recordUserEvent } from "../user/index.ts";
import { insertUserKey } from "./user-key.store.ts";

/** Half a key pair, or both: only the public one is stored. */
export interface NewUserKey {
  readonly publicPem: string;
  readonly privatePem?: string;
  readonly expiresAt: number;
}

export interface AddedUserKey {
  readonly keyId: string;
  readonly createdAt: number;
  /**
   * The key file with the private key, in JSON: shown now and never again. Absent when the caller gave a public key.
   */
  readonly keyFile?: Secret;
}

/** Step: stores the key of a user known to be a service account, and writes the key file. */
export async function issueUserKey(
  tx: Tx,
  deps: { readonly newId: IdGenerator },
  user: { readonly userId: string; readonly organizationId: string },
  { publicPem, privatePem: key, expiresAt }: NewUserKey,
): Promise<AddedUserKey> {
  const { userId } = user;
  const keyId = deps.newId();
  const sequence = await recordUserEvent(tx, user, { type: "user.key.added", payload: { keyId, expiresAt } });
  await insertUserKey(tx, { keyId, userId, publicKey: publicPem, expiresAt, sequence });
  return {
    keyId,
    createdAt: tx.now,
    ...(key !== undefined && { keyFile: toKeyFile({ keyId, userId, expiresAt, key }) }),
  };
}

function toKeyFile(file: { keyId: string; userId: string; expiresAt: number; key: string }): Secret {
  const { keyId, userId, expiresAt, key } = file;
  return new Secret(JSON.stringify({ type: "serviceaccount", keyId, key, expirationDate: toIso(expiresAt), userId }));
}
