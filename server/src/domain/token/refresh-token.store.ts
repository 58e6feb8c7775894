import { type Reader, type Sql, sql, type Tx } from "../../database/index.ts";
import { type FamilyRow, familyColumns, findFamily, toFamily } from "./token-family.store.ts";
import type { TokenFamily } from "./token-family.ts";

export interface NewRefreshToken {
  readonly tokenHash: string;
  readonly familyId: string;
  readonly accessTokenId: string;
  readonly expiresAt: number;
}

export function insertRefreshToken(tx: Tx, token: NewRefreshToken): void {
  tx.write(sql`insert into refresh_tokens (instance_id, token_hash, family_id, access_token_id, created_at, expires_at, consumed_at,
      revoked_at, successor)
    values (${tx.instanceId}, ${token.tokenHash}, ${token.familyId}, ${token.accessTokenId}, ${tx.now}, ${token.expiresAt}, null, null, null)`);
}

interface RefreshTokenKey {
  readonly tokenHash: string;
  readonly clientId: string;
}

/** A family whose refresh token was spent. */
export interface SpentFamily {
  readonly family: TokenFamily;
  /** The next sequence of the family, where it was taken with the same statement. */
  readonly sequence: number | undefined;
  /** Whether the family had no key before. */
  readonly isNewlyBound: boolean;
}

/**
 * Spends a refresh token and returns its family. The statement decides which caller wins: it finds nothing when the
 * token is unknown, expired, spent, or of another client, or when its family, session, user or organization is no
 * longer active. On PostgreSQL it also takes the next sequence of the family, and gives a family without a key the
 * given one, which saves two trips; the embedded database has no such statements and no trips.
 */
export async function consumeRefreshToken(
  tx: Tx,
  key: RefreshTokenKey,
  keyThumbprint: string | undefined,
): Promise<SpentFamily | undefined> {
  const spending = changingGoodToken(tx, key, sql`consumed_at = ${tx.now}`);
  if (tx.engine === "sqlite") {
    const family = await changeToken(tx, spending);
    const isNewlyBound = keyThumbprint !== undefined && family?.keyThumbprint === undefined;
    return family && { family, sequence: undefined, isNewlyBound };
  }
  // A statement sees the rows as they were before it. Where the family is revoked meanwhile, its token is spent all the
  // same, and nothing is returned.
  const former =
    keyThumbprint === undefined
      ? sql`0`
      : sql`(select case when o.key_thumbprint is null then 1 else 0 end from token_families o
          where o.instance_id = ${tx.instanceId} and o.family_id = f.family_id)`;
  type Row = FamilyRow & { readonly sequence: number; readonly isNewlyBound: number };
  const row = await tx.decide<Row>(sql`with spent as (${spending})
    update token_families f set sequence = f.sequence + 1, key_thumbprint = coalesce(f.key_thumbprint, ${keyThumbprint})
    where f.instance_id = ${tx.instanceId} and f.family_id = (select spent."familyId" from spent) and f.revoked_at is null
    returning f.sequence, ${former} as "isNewlyBound", ${familyColumns}`);
  return row && { family: toFamily(row), sequence: row.sequence, isNewlyBound: row.isNewlyBound === 1 };
}

/**
 * Uses a refresh token that stays as it is, and returns its family, on the conditions of `consumeRefreshToken`. It may
 * then be idle for `idleLifetime` milliseconds again, until the end of its family.
 */
export async function useRefreshToken(
  tx: Tx,
  key: RefreshTokenKey,
  idleLifetime: number,
): Promise<TokenFamily | undefined> {
  const idleUntil = tx.now + idleLifetime;
  const using = changingGoodToken(
    tx,
    key,
    sql`expires_at = (select case when f.expires_at < ${idleUntil} then f.expires_at else ${idleUntil} end
      from token_families f where f.instance_id = ${tx.instanceId} and f.family_id = refresh_tokens.family_id)`,
  );
  return changeToken(tx, using);
}

// A value and not `exists`, which may be planned as a join that reads all families of the instance.
const changingGoodToken = (tx: Tx, key: RefreshTokenKey, change: Sql): Sql => sql`update refresh_tokens set ${change}
    where instance_id = ${tx.instanceId} and token_hash = ${key.tokenHash}
      and consumed_at is null and revoked_at is null and expires_at > ${tx.now}
      and 1 = (select 1 from token_families f
        left join users u on u.instance_id = f.instance_id and u.user_id = f.user_id
        left join organizations o on o.instance_id = u.instance_id and o.organization_id = u.organization_id
        left join sessions s on s.instance_id = f.instance_id and s.session_id = f.session_id
        where f.instance_id = ${tx.instanceId} and f.family_id = refresh_tokens.family_id
          and f.client_id = ${key.clientId} and f.revoked_at is null and f.expires_at > ${tx.now}
          and (f.user_id is null or (u.state = 'active' and o.state = 'active'))
          and (f.session_id is null or (s.session_id is not null and s.terminated_at is null)))
    returning family_id as "familyId"`;

async function changeToken(tx: Tx, changing: Sql): Promise<TokenFamily | undefined> {
  const used = await tx.maybe<{ familyId: string }>(changing);
  if (used === undefined) return undefined;
  return findFamily(tx, tx.instanceId, used.familyId);
}

/**
 * Makes a token that was spent then as good as before. False where what it was exchanged for was repeated meanwhile, or
 * its family was revoked.
 */
export async function unspendRefreshToken(
  tx: Tx,
  token: {
    readonly tokenHash: string;
    readonly hasSuccessor: boolean;
    readonly spentAt: number;
    readonly familyId: string;
  },
): Promise<boolean> {
  const count = await tx.run(sql`update refresh_tokens set consumed_at = null, successor = null
    where instance_id = ${tx.instanceId} and token_hash = ${token.tokenHash} and family_id = ${token.familyId}
      and consumed_at = ${token.spentAt} and revoked_at is null
      and ${token.hasSuccessor ? sql`successor is not null` : sql`successor is null`}
      and exists (select 1 from token_families f where f.instance_id = ${tx.instanceId}
        and f.family_id = ${token.familyId} and f.revoked_at is null)`);
  return count > 0;
}

/** Deletes a token that was never used. */
export async function deleteUnusedRefreshToken(tx: Tx, tokenHash: string): Promise<void> {
  await tx.run(sql`delete from refresh_tokens
    where instance_id = ${tx.instanceId} and token_hash = ${tokenHash} and consumed_at is null`);
}

export interface RefreshTokenState {
  readonly familyId: string;
  readonly clientId: string;
  readonly consumedAt: number | null;
  readonly revokedAt: number | null;
  readonly accessTokenId: string | null;
  /** What replaced it, sealed; kept only for clients with a grace period. */
  readonly successor: string | null;
  readonly familyRevokedAt: number | null;
}

/** Finds a refresh token in any state. */
export async function findRefreshToken(
  reader: Reader,
  instanceId: string,
  tokenHash: string,
): Promise<RefreshTokenState | undefined> {
  return reader.maybe<RefreshTokenState>(sql`select r.family_id as "familyId", f.client_id as "clientId", r.consumed_at as "consumedAt",
      r.revoked_at as "revokedAt", r.access_token_id as "accessTokenId", r.successor, f.revoked_at as "familyRevokedAt"
    from refresh_tokens r join token_families f on f.instance_id = r.instance_id and f.family_id = r.family_id
    where r.instance_id = ${instanceId} and r.token_hash = ${tokenHash}`);
}

/** Stores what a spent token was exchanged for beside it, sealed. */
export async function setSuccessor(tx: Tx, tokenHash: string, successor: string): Promise<void> {
  await tx.run(sql`update refresh_tokens set successor = ${successor}
    where instance_id = ${tx.instanceId} and token_hash = ${tokenHash}`);
}

/**
 * Takes what a token of the client was exchanged for, if it was spent within the grace; the statement decides which
 * caller gets it.
 */
export async function takeSuccessor(
  tx: Tx,
  token: { readonly tokenHash: string; readonly clientId: string; readonly grace: number },
): Promise<{ successor: string; familyId: string } | undefined> {
  const isOfClient = sql`exists (select 1 from token_families f where f.instance_id = ${tx.instanceId}
    and f.family_id = refresh_tokens.family_id and f.client_id = ${token.clientId} and f.revoked_at is null)`;
  const row = await tx.maybe<{ successor: string; familyId: string }>(sql`select successor, family_id as "familyId"
    from refresh_tokens where instance_id = ${tx.instanceId} and token_hash = ${token.tokenHash} and successor is not null
      and consumed_at >= ${tx.now - token.grace} and ${isOfClient}`);
  if (row === undefined) return undefined;
  const count = await tx.run(sql`update refresh_tokens set successor = null
    where instance_id = ${tx.instanceId} and token_hash = ${token.tokenHash} and successor = ${row.successor}`);
  return count > 0 ? row : undefined;
}
