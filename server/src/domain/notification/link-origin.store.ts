import { list, type Reader, sql } from "../../database/index.ts";

/** A host of the instance; trusted ones may stand in links, and serve no page of ours. */
export interface LinkHost {
  readonly host: string;
  readonly isTrusted: number;
}

/** Lists the hosts of an instance, with the trusted ones. */
export const listLinkHosts = (reader: Reader, instanceId: string): Promise<LinkHost[]> =>
  reader.all<LinkHost>(
    sql`select host, is_trusted as "isTrusted" from instance_domains where instance_id = ${instanceId}`,
  );

/**
 * Lists the JSON documents in which addresses of applications and logins are registered: the features of the instance
 * and of the system, and the applications of the organizations. Those of strangers lie in a project of the default
 * organization, which did not choose their addresses.
 */
export async function listAddressDocuments(
  reader: Reader,
  instanceId: string,
  { host, organizationIds }: { readonly host: string; readonly organizationIds: readonly string[] },
): Promise<string[]> {
  const isNamed = `%${host}%`;
  const rows = await reader.all<{ document: string }>(sql`select flags as "document" from features
    where (instance_id = ${instanceId} or instance_id = '') and flags like ${isNamed}
    union all select configuration as "document" from applications
    where instance_id = ${instanceId} and organization_id in ${list(organizationIds)} and state = 'active'
      and configuration like ${isNamed} and (requires_consent = 0 or not exists (select 1 from registrations r
        where r.instance_id = ${instanceId} and r.application_id = applications.application_id))`);
  return rows.map(({ document }) => document);
}
