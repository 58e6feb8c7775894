import { type EndedRows, list, type Reader, sql, type Tx, text } from "../../database/index.ts";
import type { KeyFactor } from "../factor/index.ts";
import type { KeyCredential, KeyMaterial, ReadyCredential } from "./key-credential.ts";

const columns = text(
  `credential_id as "credentialId", user_id as "userId", kind, state, name, relying_party_id as "relyingPartyId", created_at as "createdAt"`,
);
const keyColumns = text(
  `webauthn_id as "webauthnId", public_key as "publicKey", sign_count as "signCount", transports, author, is_from_message as "isFromMessage", is_beside_own as "isBesideOwn"`,
);

type ReadyRow = Omit<ReadyCredential, "transports" | "isFromMessage" | "isBesideOwn"> & {
  readonly transports: string;
  readonly isFromMessage: number;
  readonly isBesideOwn: number | null;
};

const toReady = (row: ReadyRow): ReadyCredential => ({
  ...row,
  transports: JSON.parse(row.transports),
  isFromMessage: row.isFromMessage === 1,
  isBesideOwn: row.isBesideOwn === null ? null : row.isBesideOwn === 1,
});

/** Starts the registration of a credential that the authenticator has yet to create. */
export async function insertPendingCredential(
  tx: Tx,
  credential: Pick<KeyCredential, "credentialId" | "userId" | "kind" | "relyingPartyId"> & {
    readonly expiresAt: number;
    /** The administrator who could register it (`authorOfCredential`); empty where the user did. */
    readonly author: string;
    /** Whether it is registered with a code from a message (`ReadyCredential`). */
    readonly isFromMessage: boolean;
  },
): Promise<void> {
  const { userId, isFromMessage } = credential;
  const isBesideOwn = isFromMessage
    ? Number(await hadOwnCredential(tx, tx.instanceId, { userId, createdAt: tx.now }))
    : null;
  await tx.run(sql`insert into webauthn_credentials (instance_id, credential_id, user_id, kind, state, name, relying_party_id,
      created_at, changed_at, expires_at, author, is_from_message, is_beside_own)
    values (${tx.instanceId}, ${credential.credentialId}, ${credential.userId}, ${credential.kind}, 'pending', '',
      ${credential.relyingPartyId}, ${tx.now}, ${tx.now}, ${credential.expiresAt}, ${credential.author},
      ${isFromMessage ? 1 : 0}, ${isBesideOwn})`);
}

/** Finds a credential of a user with an incomplete registration. */
export function findPendingCredential(
  reader: Reader,
  instanceId: string,
  key: { readonly userId: string; readonly credentialId: string; readonly kind: KeyFactor },
): Promise<KeyCredential | undefined> {
  return reader.maybe<KeyCredential>(sql`select ${columns} from webauthn_credentials
    where instance_id = ${instanceId} and credential_id = ${key.credentialId} and user_id = ${key.userId} and kind = ${key.kind}
      and state = 'pending'`);
}

/**
 * Completes a registration. False when it is absent or complete. Throws UniqueViolation when the credential is
 * registered already.
 */
export async function completeCredential(
  tx: Tx,
  credential: Pick<ReadyCredential, "credentialId" | "userId" | "name"> & KeyMaterial & { readonly aaguid: string },
): Promise<boolean> {
  const count = await tx.run(sql`update webauthn_credentials set state = 'ready', name = ${credential.name},
      webauthn_id = ${credential.webauthnId}, public_key = ${credential.publicKey}, sign_count = ${credential.signCount},
      transports = ${JSON.stringify(credential.transports)}, aaguid = ${credential.aaguid}, expires_at = null, changed_at = ${tx.now}
    where instance_id = ${tx.instanceId} and credential_id = ${credential.credentialId} and user_id = ${credential.userId}
      and state = 'pending'`);
  return count > 0;
}

/** Lists every credential of a user, complete or not, oldest first. */
export function listCredentialsOfUser(reader: Reader, instanceId: string, userId: string): Promise<KeyCredential[]> {
  return reader.all<KeyCredential>(sql`select ${columns} from webauthn_credentials
    where instance_id = ${instanceId} and user_id = ${userId} order by created_at, credential_id`);
}

/** Lists the credentials with which a user can sign in at a relying party. */
export async function listReadyCredentials(
  reader: Reader,
  instanceId: string,
  key: { readonly userId: string; readonly relyingPartyId: string },
): Promise<ReadyCredential[]> {
  const rows = await reader.all<ReadyRow>(sql`select ${columns}, ${keyColumns} from webauthn_credentials
    where instance_id = ${instanceId} and user_id = ${key.userId} and relying_party_id = ${key.relyingPartyId} and state = 'ready'
    order by created_at, credential_id`);
  return rows.map(toReady);
}

/** Lists the credentials with which a user can sign in, at whichever relying party. */
export async function listReadyCredentialsOfUser(
  reader: Reader,
  instanceId: string,
  userId: string,
): Promise<ReadyCredential[]> {
  const rows = await reader.all<ReadyRow>(sql`select ${columns}, ${keyColumns} from webauthn_credentials
    where instance_id = ${instanceId} and user_id = ${userId} and state = 'ready' order by created_at, credential_id`);
  return rows.map(toReady);
}

/** Lists the authors of a user's passkeys; null for one from before they were kept. */
export async function listStoredPasskeyAuthors(
  reader: Reader,
  instanceId: string,
  userId: string,
): Promise<(string | null)[]> {
  const rows = await reader.all<{ author: string | null }>(sql`select distinct author from webauthn_credentials
    where instance_id = ${instanceId} and user_id = ${userId} and kind = 'passkey' and state = 'ready'`);
  return rows.map(({ author }) => author);
}

/** Finds the owner of the credential that claims to have answered. */
export async function findOwnerOfCredential(
  reader: Reader,
  instanceId: string,
  key: { readonly webauthnId: string; readonly relyingPartyId: string },
): Promise<string | undefined> {
  const row = await reader.maybe<{ userId: string }>(sql`select user_id as "userId" from webauthn_credentials
    where instance_id = ${instanceId} and webauthn_id = ${key.webauthnId} and relying_party_id = ${key.relyingPartyId}
      and state = 'ready'`);
  return row?.userId;
}

/**
 * Lists the hosts for which a user has passkeys or security keys: all of them, or those that were not registered with a
 * code from a message.
 */
export async function listRelyingPartiesOf(
  reader: Reader,
  instanceId: string,
  { userId, isAnyOrigin }: { readonly userId: string; readonly isAnyOrigin: boolean },
): Promise<string[]> {
  const rows = await reader.all<{ id: string }>(sql`select distinct relying_party_id as "id" from webauthn_credentials
    where instance_id = ${instanceId} and user_id = ${userId} and state = 'ready'
      ${isAnyOrigin ? text("") : text("and is_from_message = 0")} order by relying_party_id`);
  return rows.map(({ id }) => id);
}

/** Whether a user has a key that was registered without a message, and had it at an instant. */
export async function hadOwnCredential(
  reader: Reader,
  instanceId: string,
  { userId, createdAt }: Pick<KeyCredential, "userId" | "createdAt">,
): Promise<boolean> {
  const row = await reader.maybe(sql`select 1 as "found" from webauthn_credentials
    where instance_id = ${instanceId} and user_id = ${userId} and state = 'ready' and is_from_message = 0
      and created_at <= ${createdAt} limit 1`);
  return row !== undefined;
}

/**
 * Stores the signature counter of the authenticator. False when it did not increase: the key may have been cloned
 * (WebAuthn §6.1.1), or the credential was removed meanwhile. Authenticators without a counter report 0 each time.
 */
export async function advanceSignCount(
  tx: Tx,
  { userId, credentialId }: { readonly userId: string; readonly credentialId: string },
  signCount: number,
): Promise<boolean> {
  const count = await tx.run(sql`update webauthn_credentials set sign_count = ${signCount}
    where instance_id = ${tx.instanceId} and credential_id = ${credentialId} and user_id = ${userId} and state = 'ready'
      and (sign_count < ${signCount} or (sign_count = 0 and ${signCount} = 0))`);
  return count > 0;
}

/** Removes a credential. False when the user has no such credential. */
export async function deleteCredential(
  tx: Tx,
  key: { readonly userId: string; readonly credentialId: string; readonly kind: KeyFactor },
): Promise<boolean> {
  const count = await tx.run(sql`delete from webauthn_credentials
    where instance_id = ${tx.instanceId} and credential_id = ${key.credentialId} and user_id = ${key.userId} and kind = ${key.kind}`);
  return count > 0;
}

/** Removes every credential of a user who is being deleted. */
export async function deleteCredentialsOfUsers(tx: Tx, userIds: readonly string[]): Promise<void> {
  await tx.run(
    sql`delete from webauthn_credentials where instance_id = ${tx.instanceId} and user_id in ${list(userIds)}`,
  );
}

/** Incomplete registrations that expired before the instant. */
export const expiredKeyRegistrations = (before: number): EndedRows => ({
  table: text("webauthn_credentials"),
  where: () => sql`expires_at < ${before}`,
});
