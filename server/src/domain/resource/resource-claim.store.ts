import { list, sql, type Tx } from "../../database/index.ts";

interface Claim {
  readonly claimKey: string;
  readonly origin: string;
  readonly organizationId: string;
}

/** Has everything else that claims a URI of the origin wait until the unit of work ends. */
export async function holdOrigin(tx: Tx, origin: string): Promise<void> {
  await tx.run(sql`insert into resource_origins (instance_id, origin) values (${tx.instanceId}, ${origin})
    on conflict (instance_id, origin) do update set origin = excluded.origin`);
}

/**
 * Whether another organization claimed the URI, something around it (`around`, with itself), or something inside it.
 */
export async function isClaimedByOthers(
  tx: Tx,
  { claimKey, origin, organizationId, around }: Claim & { readonly around: readonly string[] },
): Promise<boolean> {
  const inside = `${claimKey}/`;
  const row = await tx.maybe<{ claimed: number }>(sql`select 1 as "claimed" from resource_claims
    where instance_id = ${tx.instanceId} and origin = ${origin} and organization_id <> ${organizationId}
      and (claim_key in ${list(around)} or substr(claim_key, 1, ${inside.length}) = ${inside})
    limit 1`);
  return row !== undefined;
}

/** Keeps the claim, unless the organization has it already. */
export async function insertClaim(tx: Tx, { claimKey, origin, organizationId }: Claim): Promise<void> {
  await tx.run(sql`insert into resource_claims (instance_id, claim_key, organization_id, origin)
    values (${tx.instanceId}, ${claimKey}, ${organizationId}, ${origin}) on conflict do nothing`);
}
