import type { Instant } from "../../base/clock.ts";
import { importPublicKey, type PublicKey } from "../../base/jose/index.ts";
import { addressKey } from "../../base/names/address-key.ts";
import { byKey, type Reader, rowOf, type Sql, sql, text } from "../../database/index.ts";
import { isInNoForeignDomain } from "../organization/index.ts";
import type { AccessTokenFormat } from "./user.ts";

/** A service account that may sign in now: it and its organization are active. */
export interface ServiceAccount {
  readonly userId: string;
  readonly organizationId: string;
  /** Primary domain of its organization. */
  readonly primaryDomain: string;
  /** `username@primarydomain`: by this, or by the bare username, it names itself at the token endpoint. */
  readonly loginName: string;
  readonly accessTokenFormat: AccessTokenFormat;
  readonly secretHash: string | undefined;
  /** Whether its id is also that of a client or project, in any state. */
  readonly isIdTaken: boolean;
}

interface Row extends Omit<ServiceAccount, "secretHash" | "isIdTaken"> {
  readonly secretHash: string | null;
  readonly isIdTaken: number;
}

const select = (
  reader: Reader,
  instanceId: string,
  { key, where }: { readonly key: Sql; readonly where?: Sql },
): Sql => sql`select u.user_id as "userId", u.organization_id as "organizationId",
    o.primary_domain as "primaryDomain", u.preferred_login_name as "loginName", u.access_token_format as "accessTokenFormat",
    u.secret_hash as "secretHash",
    coalesce((select 1 from applications a where a.instance_id = ${instanceId} and a.client_id = u.user_id),
      (select 1 from projects p where p.instance_id = ${instanceId} and p.project_id = u.user_id), 0) as "isIdTaken"
  from ${rowOf(reader, { table: text("users"), alias: text("u"), key: sql`u.instance_id = ${instanceId} and ${key}` })}
  join organizations o on o.instance_id = ${instanceId} and o.organization_id = u.organization_id
  where ${where ?? text("1 = 1")} and u.kind = 'machine' and u.state = 'active' and o.state = 'active'`;

const toAccount = ({ secretHash, isIdTaken, ...row }: Row): ServiceAccount => ({
  ...row,
  secretHash: secretHash ?? undefined,
  isIdTaken: isIdTaken === 1,
});

/**
 * Finds the account with this login name, otherwise with this bare username. Of several, one of the default
 * organization has the name, or the one that had it first: an organization takes no name from service accounts of
 * another by giving it to its own.
 */
export async function findServiceAccount(
  reader: Reader,
  instanceId: string,
  loginName: string,
): Promise<ServiceAccount | undefined> {
  const key = addressKey(loginName);
  const qualified = await reader.maybe<Row>(
    byKey(
      instanceId,
      select(reader, instanceId, {
        key: sql`u.login_name_key = ${key}`,
        where: isInNoForeignDomain(instanceId, key, text("u.organization_id")),
      }),
    ),
  );
  if (qualified !== undefined) return toAccount(qualified);
  const bare = await reader.maybe<Row>(sql`${select(reader, instanceId, { key: sql`u.username_key = ${key}` })}
    order by case when u.organization_id = (select i.default_organization_id from instances i
      where i.instance_id = ${instanceId}) then 0 else 1 end, u.username_set_at, u.user_id limit 1`);
  return bare && toAccount(bare);
}

/** Finds the account with this user id, if it may sign in now. */
export async function findServiceAccountById(
  reader: Reader,
  instanceId: string,
  userId: string,
): Promise<ServiceAccount | undefined> {
  const row = await reader.maybe<Row>(
    byKey(instanceId, select(reader, instanceId, { key: sql`u.user_id = ${userId}` })),
  );
  return row && toAccount(row);
}

/** A key of a service account, and when it ends. */
interface UserVerificationKey extends PublicKey {
  readonly keyId: string;
  readonly expiresAt: Instant;
}

/**
 * Lists the keys that may verify an assertion of the account now: the one with the id that it names, and without an id
 * at most two, because it is refused unless the account has one key alone. However many keys there are, no more are
 * read and imported. All code that verifies assertions uses it, so an expired or removed key never verifies one
 * (CVE-2025-31123).
 */
export async function listUserVerificationKeys(
  reader: Reader,
  instanceId: string,
  { userId, keyId, now }: { readonly userId: string; readonly keyId: string | undefined; readonly now: Instant },
): Promise<UserVerificationKey[]> {
  const rows = await reader.all<{
    keyId: string;
    publicKey: string;
    expiresAt: number;
  }>(sql`select key_id as "keyId", public_key as "publicKey", expires_at as "expiresAt" from user_keys
    where instance_id = ${instanceId} and user_id = ${userId} and expires_at > ${now}
      ${keyId === undefined ? sql`limit 2` : sql`and key_id = ${keyId}`}`);
  return rows.map((row) => ({ ...importPublicKey(row.publicKey), keyId: row.keyId, expiresAt: row.expiresAt }));
}
