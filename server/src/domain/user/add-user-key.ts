import { toIso } from "../../base/clock.ts";
import type { IdGenerator } from "../../base/id.ts";
import { generateRsaKeyPair, importPublicKey, toPublicPem } from "../../base/jose/index.ts";
import { Secret } from "../../base/secret.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { type AuthorizeDeps, authorizeUser, holdAuthorizedUser, requireMachine, writeOwn } from "./authorize-user.ts";
import { parseExpiry } from "./expiry.ts";
import { recordUserEvent } from "./record-user.ts";
import { insertUserKey } from "./user-key.store.ts";

export interface AddUserKey {
  readonly userId: string;
  readonly expiresAt?: number | undefined;
  /** The caller's public key (PEM or JWK); without it a key pair is made. */
  readonly publicKey?: string | undefined;
}

export interface AddedUserKey {
  readonly keyId: string;
  readonly createdAt: number;
  /** The key file with the private key, in JSON: shown now and never again. Absent when the caller brought a public key. */
  readonly keyFile?: Secret;
}

/** Gives a service account a key to sign assertions with. Only the public half is stored. */
export async function addUserKey(
  deps: AuthorizeDeps & { readonly database: Database; readonly newId: IdGenerator },
  call: Call,
  input: AddUserKey,
): Promise<AddedUserKey> {
  const { userId } = input;
  const expiresAt = parseExpiry(input.expiresAt, call.now);
  // Before the key pair: making one takes a tenth of a second, which nobody may cost us who may not have it.
  requireMachine(await authorizeUser(deps.database.read, call, userId, writeOwn(deps)));
  const pair = input.publicKey === undefined ? await generateRsaKeyPair() : readPublicKey(input.publicKey);
  const keyId = deps.newId();
  return deps.database.change(call, async (tx) => {
    const user = requireMachine(await holdAuthorizedUser(tx, userId, writeOwn(deps)));
    const sequence = await recordUserEvent(tx, user, { type: "user.key.added", payload: { keyId, expiresAt } });
    await insertUserKey(tx, { keyId, userId, publicKey: pair.publicPem, expiresAt, sequence });
    const key = pair.privatePem;
    return { keyId, createdAt: tx.now, ...(key && { keyFile: toKeyFile({ keyId, userId, expiresAt, key }) }) };
  });
}

interface Pair {
  readonly publicPem: string;
  readonly privatePem?: string;
}

const readPublicKey = (publicKey: string): Pair => ({ publicPem: toPublicPem(importPublicKey(publicKey).key) });

function toKeyFile(file: { keyId: string; userId: string; expiresAt: number; key: string }): Secret {
  const { keyId, userId, expiresAt, key } = file;
  return new Secret(JSON.stringify({ type: "serviceaccount", keyId, key, expirationDate: toIso(expiresAt), userId }));
}
