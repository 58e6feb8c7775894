import { join, list, type Reader, rowLock, type Sql, sql, type Tx, text } from "../../database/index.ts";
import type { TokenFamily } from "./token-family.ts";

/** Columns of a family with alias `f`, as `toFamily` reads them. */
export const familyColumns =
  text(`f.family_id as "familyId", f.client_id as "clientId", f.application_id as "applicationId",
  f.project_id as "projectId", f.user_id as "userId", f.session_id as "sessionId", f.scope as "familyScope",
  f.audience as "familyAudience", f.auth_time as "authTime", f.authentication_methods as "authenticationMethods", f.acr, f.nonce, f.claims, f.actor,
  f.exchanged_format as "exchangedFormat", f.key_thumbprint as "familyKeyThumbprint",
  f.credential_expires_at as "credentialExpiresAt",
  f.created_at as "familyCreatedAt", f.expires_at as "familyExpiresAt"`);

export interface FamilyRow {
  readonly familyId: string;
  readonly clientId: string;
  readonly applicationId: string | null;
  readonly projectId: string | null;
  readonly userId: string | null;
  readonly sessionId: string | null;
  readonly familyScope: string;
  readonly familyAudience: string;
  readonly authTime: number | null;
  readonly authenticationMethods: string;
  readonly acr: string | null;
  readonly nonce: string | null;
  readonly claims: string | null;
  readonly actor: string | null;
  readonly exchangedFormat: "opaque" | "jwt" | null;
  readonly familyKeyThumbprint: string | null;
  readonly credentialExpiresAt: number | null;
  readonly familyCreatedAt: number;
  readonly familyExpiresAt: number;
}

export function toFamily(row: FamilyRow): TokenFamily {
  return {
    familyId: row.familyId,
    clientId: row.clientId,
    applicationId: row.applicationId ?? undefined,
    projectId: row.projectId ?? undefined,
    userId: row.userId ?? undefined,
    sessionId: row.sessionId ?? undefined,
    scope: row.familyScope,
    audience: splitWords(row.familyAudience),
    authTime: row.authTime ?? undefined,
    authenticationMethods: splitWords(row.authenticationMethods),
    acr: row.acr ?? undefined,
    nonce: row.nonce ?? undefined,
    claims: row.claims === null ? undefined : JSON.parse(row.claims),
    actor: row.actor === null ? undefined : JSON.parse(row.actor),
    exchangedFormat: row.exchangedFormat ?? undefined,
    keyThumbprint: row.familyKeyThumbprint ?? undefined,
    credentialExpiresAt: row.credentialExpiresAt ?? undefined,
    createdAt: row.familyCreatedAt,
    expiresAt: row.familyExpiresAt,
  };
}

/**
 * Condition for a family with alias `f` and its session `s`: the session was not ended. In the strict profile the
 * tokens end with its expiry as well, unless they are for acting while the user is away (OpenID Connect Core §11).
 */
export const sessionHolds = ({ isStrict }: Pick<Reader, "isStrict">, now: number | undefined): Sql =>
  isStrict === true && now !== undefined
    ? sql`(f.session_id is null or (s.session_id is not null and s.terminated_at is null
        and (s.expires_at is null or s.expires_at > ${now} or ' ' || f.scope || ' ' like '% offline_access %')))`
    : sql`(f.session_id is null or (s.session_id is not null and s.terminated_at is null))`;

export const splitWords = (words: string): string[] => (words === "" ? [] : words.split(" "));

export function insertFamily(tx: Tx, family: TokenFamily): void {
  tx.write(sql`insert into token_families (instance_id, family_id, client_id, application_id, project_id, user_id, session_id, scope,
      audience, auth_time, authentication_methods, acr, nonce, claims, actor, exchanged_format, key_thumbprint, credential_expires_at, created_at, expires_at, revoked_at, sequence)
    values (${tx.instanceId}, ${family.familyId}, ${family.clientId}, ${family.applicationId}, ${family.projectId}, ${family.userId},
      ${family.sessionId}, ${family.scope}, ${family.audience.join(" ")}, ${family.authTime}, ${family.authenticationMethods.join(" ")},
      ${family.acr}, ${family.nonce}, ${family.claims === undefined ? null : JSON.stringify(family.claims)},
      ${family.actor === undefined ? null : JSON.stringify(family.actor)}, ${family.exchangedFormat},
      ${family.keyThumbprint}, ${family.credentialExpiresAt}, ${family.createdAt}, ${family.expiresAt},
      null, 1)`);
}

/** Returns whether a family is not revoked, and holds it until the unit of work ends, so that this stays true. */
export async function holdLiveFamily(tx: Tx, familyId: string): Promise<boolean> {
  const row = await tx.maybe(sql`select 1 as "found" from token_families
    where instance_id = ${tx.instanceId} and family_id = ${familyId} and revoked_at is null ${rowLock(tx, "alone")}`);
  return row !== undefined;
}

/** Takes the next sequence of a family; undefined when it is revoked. A family without a key takes the given one. */
export async function advanceFamily(tx: Tx, familyId: string, keyThumbprint?: string): Promise<number | undefined> {
  const row = await tx.maybe<{ sequence: number }>(sql`update token_families
    set sequence = sequence + 1, key_thumbprint = coalesce(key_thumbprint, ${keyThumbprint})
    where instance_id = ${tx.instanceId} and family_id = ${familyId} and revoked_at is null returning sequence`);
  return row?.sequence;
}

/** Families that are revoked together: all that have each of the given properties. */
export interface FamiliesOf {
  readonly sessionIds?: readonly string[];
  readonly userIds?: readonly string[];
  /** Users who act for others by them, or by what they were exchanged from. */
  readonly actorIds?: readonly string[];
  readonly clientId?: string;
}

/**
 * Lists families that are not revoked; at most `limit`. They are locked in the order of their ids, so that units which
 * revoke the same ones do not wait for one another in a circle.
 */
export async function holdLiveFamilyIds(tx: Tx, of: FamiliesOf, limit: number): Promise<string[]> {
  const { sessionIds, userIds, actorIds, clientId } = of;
  const conditions = [
    sql`instance_id = ${tx.instanceId}`,
    ...(sessionIds === undefined ? [] : [sql`session_id in ${list(sessionIds)}`]),
    ...(userIds === undefined ? [] : [sql`user_id in ${list(userIds)}`]),
    ...(actorIds === undefined ? [] : [isOfActors(tx, actorIds)]),
    ...(clientId === undefined ? [] : [sql`client_id = ${clientId}`]),
  ];
  const rows = await tx.all<{ familyId: string }>(sql`select family_id as "familyId" from token_families
    where ${join(conditions, " and ")} and revoked_at is null
    order by family_id limit ${limit} ${rowLock(tx, "alone")}`);
  return rows.map(({ familyId }) => familyId);
}

// A user is a source of what they act by for another, and of nothing else.
const isOfActors = ({ instanceId }: Tx, actorIds: readonly string[]): Sql =>
  sql`family_id in (select x.family_id from token_family_sources x
    where x.instance_id = ${instanceId} and x.kind = 'user' and x.source_id in ${list(actorIds)})`;

/** Revokes families, unless they are revoked. Returns their new sequences and whose they are. */
export function markFamiliesRevoked(
  tx: Tx,
  familyIds: readonly string[],
): Promise<{ familyId: string; sequence: number; userId: string | null; clientId: string }[]> {
  return tx.all(sql`update token_families set revoked_at = ${tx.now}, sequence = sequence + 1
    where instance_id = ${tx.instanceId} and family_id in ${list(familyIds)} and revoked_at is null
    returning family_id as "familyId", sequence, user_id as "userId", client_id as "clientId"`);
}

/** Finds a family, in any state. */
export async function findFamily(
  reader: Reader,
  instanceId: string,
  familyId: string,
): Promise<TokenFamily | undefined> {
  const row = await reader.maybe<FamilyRow>(sql`select ${familyColumns} from token_families f
    where f.instance_id = ${instanceId} and f.family_id = ${familyId}`);
  return row && toFamily(row);
}
