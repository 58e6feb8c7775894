import { type Reader, sql } from "../../database/index.ts";

/** A mail server in use. */
export interface ActiveMailServer {
  readonly instanceId: string;
  /** Configuration of the provider, JSON. */
  readonly configuration: string;
}

/** Lists the active mail servers of all instances. */
export async function listActiveMailServerRows(reader: Reader): Promise<ActiveMailServer[]> {
  return reader.all<ActiveMailServer>(sql`select instance_id as "instanceId", configuration from message_providers
    where channel = 'email' and kind = 'smtp' and state = 'active' order by instance_id limit 1000`);
}
