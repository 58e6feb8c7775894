import { type Reader, sql } from "../../database/index.ts";
import { isStillFounded } from "./is-still-founded.ts";
import { type FamilyRow, familyColumns, findFamily, sessionHolds, toFamily } from "./token-family.store.ts";
import type { TokenFamily } from "./token-family.ts";

/** A family that is valid now, with the organization of its user. */
export interface LiveFamily {
  readonly family: TokenFamily;
  /** Undefined for families without a user. */
  readonly organizationId: string | undefined;
}

/**
 * Finds a family if it is valid: it is not revoked and has not expired, its session is not terminated, its user and
 * the user's organization are active, and what it depends on still holds. What an id token stands for is asked here.
 */
export async function findLiveFamily(
  reader: Reader,
  instanceId: string,
  familyId: string,
  aliveAt: number | "expired is fine",
): Promise<LiveFamily | undefined> {
  const row = await reader.maybe<
    FamilyRow & { readonly organizationId: string | null }
  >(sql`select u.organization_id as "organizationId", ${familyColumns}
    from token_families f
    left join users u on u.instance_id = f.instance_id and u.user_id = f.user_id
    left join organizations o on o.instance_id = u.instance_id and o.organization_id = u.organization_id
    left join sessions s on s.instance_id = f.instance_id and s.session_id = f.session_id
    where f.instance_id = ${instanceId} and f.family_id = ${familyId}
      and f.revoked_at is null and ${aliveAt === "expired is fine" ? sql`1 = 1` : sql`f.expires_at > ${aliveAt}`}
      and (f.user_id is null or (u.state = 'active' and o.state = 'active'))
      and ${sessionHolds(reader, aliveAt === "expired is fine" ? undefined : aliveAt)}`);
  if (row === undefined) return undefined;
  const family = toFamily(row);
  if (!(await isStillFounded(reader, instanceId, family))) return undefined;
  return { family, organizationId: row.organizationId ?? undefined };
}

/**
 * Whether a family is known and was ended: by revocation, with its session or its user, or with what it depends on. One
 * that only expired was not.
 */
export async function isEndedFamily(reader: Reader, instanceId: string, familyId: string): Promise<boolean> {
  if ((await findLiveFamily(reader, instanceId, familyId, "expired is fine")) !== undefined) return false;
  return (await findFamily(reader, instanceId, familyId)) !== undefined;
}
