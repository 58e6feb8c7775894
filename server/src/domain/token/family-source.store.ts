import { join, type Reader, sql, type Tx } from "../../database/index.ts";
import { type FamilyRow, familyColumns, toFamily } from "./token-family.store.ts";
import type { Actor, FamilySource, TokenFamily } from "./token-family.ts";

/**
 * Returns whether something that a family was exchanged from has ended. An access token or a family above it was
 * revoked or is gone, or the application, project or organization of that family was made inactive. Or a session ended,
 * a user or organization was made inactive, a personal access token was removed, or an impersonation was ended. A
 * statement of its own, so that families of other grants, which have no sources, do not pay for it.
 */
export async function hasEndedSource(reader: Reader, instanceId: string, familyId: string): Promise<boolean> {
  const row = await reader.maybe<{ ended: number }>(sql`select 1 as "ended" from token_family_sources x
    left join token_families f on x.kind = 'family' and f.instance_id = x.instance_id and f.family_id = x.source_id
    left join applications a on a.instance_id = f.instance_id and a.application_id = f.application_id
    left join projects ap on ap.instance_id = a.instance_id and ap.project_id = a.project_id
    left join organizations ao on ao.instance_id = a.instance_id and ao.organization_id = a.organization_id
    left join access_tokens t on x.kind = 'access_token' and t.instance_id = x.instance_id and t.token_id = x.source_id
    left join sessions s on x.kind = 'session' and s.instance_id = x.instance_id and s.session_id = x.source_id
    left join personal_access_tokens p on x.kind = 'personal_access_token'
      and p.instance_id = x.instance_id and p.token_id = x.source_id
    left join impersonations i on x.kind = 'impersonation'
      and i.instance_id = x.instance_id and i.impersonation_id = x.source_id
    left join users u on x.kind = 'user' and u.instance_id = x.instance_id and u.user_id = x.source_id
    left join organizations o on o.instance_id = u.instance_id and o.organization_id = u.organization_id
    where x.instance_id = ${instanceId} and x.family_id = ${familyId} and (
      (x.kind = 'family' and (f.family_id is null or f.revoked_at is not null or (f.application_id is not null
        and (a.application_id is null or a.state <> 'active' or ap.state <> 'active' or ao.state <> 'active'))))
      or (x.kind = 'access_token' and (t.token_id is null or t.revoked_at is not null))
      or (x.kind = 'session' and (s.session_id is null or s.terminated_at is not null))
      or (x.kind = 'personal_access_token' and p.token_id is null)
      or (x.kind = 'impersonation' and (i.impersonation_id is null or i.ended_at is not null))
      or (x.kind = 'user' and (u.user_id is null or u.state <> 'active' or o.state <> 'active')))
    limit 1`);
  return row !== undefined;
}

/** Records what a family was exchanged from. */
export function insertFamilySources(
  tx: Tx,
  family: { readonly familyId: string; readonly expiresAt: number },
  sources: readonly FamilySource[],
): void {
  if (sources.length === 0) return;
  const rows = sources.map(
    ({ kind, id }) => sql`(${tx.instanceId}, ${family.familyId}, ${kind}, ${id}, ${family.expiresAt})`,
  );
  tx.write(sql`insert into token_family_sources (instance_id, family_id, kind, source_id, expires_at)
    values ${join(rows, ", ")} on conflict do nothing`);
}

/** Lists what a family was exchanged from; empty for families of other grants. */
export function listFamilySources(reader: Reader, instanceId: string, familyId: string): Promise<FamilySource[]> {
  return reader.all<FamilySource>(sql`select kind, source_id as "id" from token_family_sources
    where instance_id = ${instanceId} and family_id = ${familyId}`);
}

/** Lists the families that a family was exchanged from. */
export async function listFamiliesAbove(reader: Reader, instanceId: string, familyId: string): Promise<TokenFamily[]> {
  const rows = await reader.all<FamilyRow>(sql`select ${familyColumns}
    from token_family_sources x
    join token_families f on f.instance_id = x.instance_id and f.family_id = x.source_id
    where x.instance_id = ${instanceId} and x.family_id = ${familyId} and x.kind = 'family'
    order by f.created_at, f.family_id`);
  return rows.map(toFamily);
}

/** An actor, and the user for whom the actor acts. */
export interface Delegation {
  readonly userId: string;
  readonly actor: Actor;
}

/** Lists who acts for whom in the families that a family was exchanged from. */
export async function listDelegationsAbove(
  reader: Reader,
  instanceId: string,
  familyId: string,
): Promise<Delegation[]> {
  const rows = await reader.all<{ userId: string; actor: string }>(sql`select f.user_id as "userId", f.actor
    from token_family_sources x
    join token_families f on f.instance_id = x.instance_id and f.family_id = x.source_id
    where x.instance_id = ${instanceId} and x.family_id = ${familyId} and x.kind = 'family' and f.actor is not null`);
  return rows.map(({ userId, actor }) => ({ userId, actor: JSON.parse(actor) as Actor }));
}
