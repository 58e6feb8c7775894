import { type Reader, sql } from "../../database/index.ts";

/** A user with a given verified address. */
export interface MatchingUser {
  readonly userId: string;
  readonly organizationId: string;
  readonly usernameKey: string;
  /** How the address was proven. */
  readonly emailProof: string | null;
  /** 1 when the address lies in a domain that the organization of the user has proven to be its own. */
  readonly isInProvenDomain: number;
}

/**
 * Lists active users with this verified address, of one organization if one is given. Few share one; more than twenty
 * are ambiguous anyway.
 */
export function listUsersByProvenEmail(
  reader: Reader,
  instanceId: string,
  { emailKey, organizationId }: { readonly emailKey: string; readonly organizationId: string | undefined },
): Promise<MatchingUser[]> {
  const inOrganization = organizationId === undefined ? sql`` : sql`and u.organization_id = ${organizationId}`;
  const domain = emailKey.slice(emailKey.lastIndexOf("@") + 1);
  return reader.all<MatchingUser>(sql`select u.user_id as "userId", u.organization_id as "organizationId",
      u.username_key as "usernameKey", u.email_proof as "emailProof",
      case when exists (select 1 from organization_domains d where d.instance_id = ${instanceId}
        and d.organization_id = u.organization_id and d.domain = ${domain} and d.is_verified = 1
        and d.is_proven = 1) then 1 else 0 end as "isInProvenDomain"
    from users u join organizations o on o.instance_id = u.instance_id and o.organization_id = u.organization_id
    where u.instance_id = ${instanceId} and u.email_key = ${emailKey} and u.is_email_verified = 1 and u.kind = 'human'
      and u.state = 'active' and o.state = 'active' ${inOrganization}
    order by u.user_id limit 21`);
}
