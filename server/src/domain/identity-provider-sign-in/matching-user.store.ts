import { type Reader, sql } from "../../database/index.ts";

/** A user with a given verified address. */
export interface MatchingUser {
  readonly userId: string;
  readonly organizationId: string;
  readonly usernameKey: string;
}

/**
 * Lists active users with this verified address, of one organization if one is given. Two at most: two already make the
 * match ambiguous.
 */
export function listUsersByProvenEmail(
  reader: Reader,
  instanceId: string,
  { emailKey, organizationId }: { readonly emailKey: string; readonly organizationId: string | undefined },
): Promise<MatchingUser[]> {
  const inOrganization = organizationId === undefined ? sql`` : sql`and u.organization_id = ${organizationId}`;
  return reader.all<MatchingUser>(sql`select u.user_id as "userId", u.organization_id as "organizationId",
      u.username_key as "usernameKey"
    from users u join organizations o on o.instance_id = u.instance_id and o.organization_id = u.organization_id
    where u.instance_id = ${instanceId} and u.email_key = ${emailKey} and u.is_email_verified = 1 and u.kind = 'human'
      and u.state = 'active' and o.state = 'active' ${inOrganization}
    order by u.user_id limit 2`);
}
