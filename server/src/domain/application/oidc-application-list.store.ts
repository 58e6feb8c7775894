import { type Reader, sql } from "../../database/index.ts";
import type { OidcConfiguration } from "../oidc-configuration/index.ts";
import { readConfiguration } from "./application-row.ts";

/** An OpenID Connect application of any instance. */
export interface ListedOidcApplication {
  readonly instanceId: string;
  readonly applicationId: string;
  readonly name: string;
  readonly configuration: OidcConfiguration;
}

/** Lists the active OpenID Connect applications of all instances. */
export async function listOidcApplications(reader: Reader): Promise<ListedOidcApplication[]> {
  const rows = await reader.all<Omit<ListedOidcApplication, "configuration"> & { configuration: string }>(
    sql`select instance_id as "instanceId", application_id as "applicationId", name as "name", configuration as "configuration"
      from applications where kind = 'oidc' and state = 'active' order by instance_id, application_id`,
  );
  return rows.flatMap((row) => {
    const read = readConfiguration("oidc", row.configuration);
    return read.kind === "oidc" ? [{ ...row, configuration: read.configuration }] : [];
  });
}
