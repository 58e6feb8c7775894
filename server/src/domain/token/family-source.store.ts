import { join, type Reader, sql, type Tx } from "../../database/index.ts";
import type { FamilySource } from "./token-family.ts";

/**
 * Whether everything that a family with alias `f` was exchanged from still stands: no family above it was revoked, no session ended, no
 * user or organization inactive, no personal access token removed. Families of other grants rest on nothing.
 */
export const standsOnItsSources = sql`(f.exchanged_format is null or not exists (
  select 1 from token_family_sources x
  left join token_families xf on x.kind = 'family' and xf.instance_id = x.instance_id and xf.family_id = x.source_id
  left join sessions xs on x.kind = 'session' and xs.instance_id = x.instance_id and xs.session_id = x.source_id
  left join personal_access_tokens xp on x.kind = 'personal_access_token'
    and xp.instance_id = x.instance_id and xp.token_id = x.source_id
  left join users xu on x.kind = 'user' and xu.instance_id = x.instance_id and xu.user_id = x.source_id
  left join organizations xo on xo.instance_id = xu.instance_id and xo.organization_id = xu.organization_id
  where x.instance_id = f.instance_id and x.family_id = f.family_id and (
    (x.kind = 'family' and xf.revoked_at is not null)
    or (x.kind = 'session' and (xs.session_id is null or xs.terminated_at is not null))
    or (x.kind = 'personal_access_token' and xp.token_id is null)
    or (x.kind = 'user' and (xu.user_id is null or xu.state <> 'active' or xo.state <> 'active')))))`;

/** Remembers what a family was exchanged from. */
export async function insertFamilySources(
  tx: Tx,
  family: { readonly familyId: string; readonly expiresAt: number },
  sources: readonly FamilySource[],
): Promise<void> {
  if (sources.length === 0) return;
  const rows = sources.map(
    ({ kind, id }) => sql`(${tx.instanceId}, ${family.familyId}, ${kind}, ${id}, ${family.expiresAt})`,
  );
  await tx.run(sql`insert into token_family_sources (instance_id, family_id, kind, source_id, expires_at)
    values ${join(rows, ", ")} on conflict do nothing`);
}

/** What a family was exchanged from; nothing for families of other grants. */
export function listFamilySources(reader: Reader, instanceId: string, familyId: string): Promise<FamilySource[]> {
  return reader.all<FamilySource>(sql`select kind, source_id as "id" from token_family_sources
    where instance_id = ${instanceId} and family_id = ${familyId}`);
}
