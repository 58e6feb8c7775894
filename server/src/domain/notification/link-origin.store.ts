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

/** Lists the JSON documents in which addresses of logins are: the features of an instance and of the system. */
export async function listFeatureDocuments(reader: Reader, instanceId: string): Promise<string[]> {
  const rows = await reader.all<{ document: string }>(sql`select flags as "document" from features
    where (instance_id = ${instanceId} or instance_id = '')`);
  return rows.map(({ document }) => document);
}

/** Whether an application of one of the organizations has an origin. */
export async function hasOrigin(
  reader: Reader,
  instanceId: string,
  { origin, organizationIds }: { readonly origin: string; readonly organizationIds: readonly string[] },
): Promise<boolean> {
  const row = await reader.maybe(sql`select 1 as "found" from application_origins
    where instance_id = ${instanceId} and organization_id in ${list(organizationIds)} and origin = ${origin} limit 1`);
  return row !== undefined;
}
