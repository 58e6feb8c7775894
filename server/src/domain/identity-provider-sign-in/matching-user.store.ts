import { type Reader, type Sql, sql } from "../../database/index.ts";
import type { IdentityProvider } from "../identity-provider/index.ts";

/** A user with a given verified address. */
export interface MatchingUser {
  readonly userId: string;
  readonly organizationId: string;
  readonly usernameKey: string;
  /** How the address was proven. */
  readonly emailProof: string | null;
  /** When it was proven by a code; null where it was not. */
  readonly emailProvenAt: number | null;
}

/** Active users with this verified address. */
const having = (instanceId: string, emailKey: string): Sql =>
  sql`from users u join organizations o on o.instance_id = u.instance_id and o.organization_id = u.organization_id
    where u.instance_id = ${instanceId} and u.email_key = ${emailKey} and u.is_email_verified = 1 and u.kind = 'human'
      and u.state = 'active' and o.state = 'active'`;

/**
 * Lists active users whose verified address means the same person as that address at a provider, of one organization if
 * one is given. Administrators of an organization can call any address verified, so their assertion counts for their
 * own provider and in their own proven domains only. Otherwise they could make a user with the address of another
 * person beforehand, and that person would come to use it. Their words are left out here, so that no number of them
 * hides a user. Those who proved it by a code come first, in the order of their proofs. Few share one; the first are
 * enough.
 */
export function listUsersByProvenEmail(
  reader: Reader,
  instanceId: string,
  {
    emailKey,
    organizationId,
    provider: { ownerOrganizationId },
  }: {
    readonly emailKey: string;
    readonly organizationId: string | undefined;
    readonly provider: Pick<IdentityProvider, "ownerOrganizationId">;
  },
): Promise<MatchingUser[]> {
  const inOrganization = organizationId === undefined ? sql`` : sql`and u.organization_id = ${organizationId}`;
  const domain = emailKey.slice(emailKey.lastIndexOf("@") + 1);
  return reader.all<MatchingUser>(sql`select u.user_id as "userId", u.organization_id as "organizationId",
      u.username_key as "usernameKey", u.email_proof as "emailProof", u.email_proven_at as "emailProvenAt"
    ${having(instanceId, emailKey)} ${inOrganization}
      and case when u.is_email_proof_wide = 1 or u.organization_id = ${ownerOrganizationId} then 1
        when exists (select 1 from organization_domains d where d.instance_id = ${instanceId}
          and d.organization_id = u.organization_id and d.domain = ${domain} and d.is_verified = 1
          and d.is_proven = 1) then 1 else 0 end = 1
    order by case when u.email_proven_at is null then 1 else 0 end, u.email_proven_at, u.user_id limit 21`);
}

/** Whether an active user of another organization has this verified address, on whatever word. */
export async function isVerifiedElsewhere(
  reader: Reader,
  instanceId: string,
  { emailKey, organizationId }: { readonly emailKey: string; readonly organizationId: string },
): Promise<boolean> {
  const row = await reader.maybe<{ found: number }>(sql`select 1 as "found"
    ${having(instanceId, emailKey)} and u.organization_id <> ${organizationId} limit 1`);
  return row !== undefined;
}
