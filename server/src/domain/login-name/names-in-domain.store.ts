import { list, sql, type Tx } from "../../database/index.ts";

/** A user whose username or login name ends in a domain that another organization owns. */
export interface NameInDomain {
  readonly userId: string;
  readonly organizationId: string;
}

/**
 * Lists users of other organizations with something to do after an organization proved a domain, after the given one;
 * at most `limit`. Their login name ends in it, and is formed again; even if the username does not, as where it was
 * formed before their organization lost the domain. Or the username ends in it, and they are to be told: who was told
 * before is not, unless the login name changes, nor who got the username after `until`.
 */
export function listNamesInDomain(
  tx: Tx,
  { organizationId, domain }: { readonly organizationId: string; readonly domain: string },
  page: { readonly after: string; readonly until?: number | undefined; readonly limit: number },
): Promise<NameInDomain[]> {
  const end = `@${domain}`;
  const isOld = page.until === undefined ? sql`` : sql`and username_set_at <= ${page.until}`;
  return tx.all<NameInDomain>(sql`select user_id as "userId", organization_id as "organizationId" from users
    where instance_id = ${tx.instanceId} and user_id > ${page.after} and organization_id <> ${organizationId}
      and (substr(login_name_key, length(login_name_key) - ${domain.length}) = ${end}
        or (substr(username_key, length(username_key) - ${domain.length}) = ${end} and kind = 'human'
          and is_email_verified = 1 and coalesce(told_of_domain, '') <> ${domain} ${isOld}))
    order by user_id limit ${page.limit}`);
}

/** Notes that users were told that another organization owns the domain of their names. */
export async function updateToldOfDomain(tx: Tx, domain: string, userIds: readonly string[]): Promise<void> {
  await tx.run(sql`update users set told_of_domain = ${domain}
    where instance_id = ${tx.instanceId} and user_id in ${list(userIds)}`);
}
