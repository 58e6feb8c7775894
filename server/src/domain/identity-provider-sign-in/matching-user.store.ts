import { type Reader, sql } from "../../database/index.ts";

/** A user with a given verified address. */
export interface MatchingUser {
  readonly userId: string;
  readonly organizationId: string;
  readonly usernameKey: string;
  /** How the address was proven. */
  readonly emailProof: string | null;
  /** When it was proven by a code; null where it was not. */
  readonly emailProvenAt: number | null;
  /** 1 when the address lies in a domain that the organization of the user has proven to be its own. */
  readonly isInProvenDomain: number;
}

/**
 * Lists active users with this verified address, of one organization if one is given. Those who proved it by a code
 * come first, in the order of their proofs. Few share one; the first are enough.
 */
export function listUsersByProvenEmail(
  reader: Reader,
  instanceId: string,
  { emailKey, organizationId }: { readonly emailKey: string; readonly organizationId: string | undefined },
): Promise<MatchingUser[]> {
  const inOrganization = organizationId === undefined ? sql`` : sql`and u.organization_id = ${organizationId}`;
  const domain = emailKey.slice(emailKey.lastIndexOf("@") + 1);
  return reader.all<MatchingUser>(sql`select u.user_id as "userId", u.organization_id as "organizationId",
      u.username_key as "usernameKey", u.email_proof as "emailProof", u.email_proven_at as "emailProvenAt",
      case when exists (select 1 from organization_domains d where d.instance_id = ${instanceId}
        and d.organization_id = u.organization_id and d.domain = ${domain} and d.is_verified = 1
        and d.is_proven = 1) then 1 else 0 end as "isInProvenDomain"
    from users u join organizations o on o.instance_id = u.instance_id and o.organization_id = u.organization_id
    where u.instance_id = ${instanceId} and u.email_key = ${emailKey} and u.is_email_verified = 1 and u.kind = 'human'
      and u.state = 'active' and o.state = 'active' ${inOrganization}
    order by case when u.email_proven_at is null then 1 else 0 end, u.email_proven_at, u.user_id limit 21`);
}
