import type { Instant } from "../../base/clock.ts";
import { type Reader, sql } from "../../database/index.ts";

/** An organization that has scripts at a trigger, or once had. */
export interface ScriptOwner {
  readonly organizationId: string;
  /** When it had some for the first time. */
  readonly since: Instant;
  /** How many it has now. */
  readonly scripts: number;
}

/** Lists the organizations of an instance that have scripts at a trigger, or once had. */
export function listScriptOwners(reader: Reader, instanceId: string): Promise<ScriptOwner[]> {
  return reader.all<ScriptOwner>(sql`select f.organization_id as "organizationId", min(f.created_at) as "since",
      count(s.script_id) as "scripts"
    from flows f left join flow_scripts s
      on s.instance_id = ${instanceId} and s.organization_id = f.organization_id and s.flow = f.flow
    where f.instance_id = ${instanceId} group by f.organization_id`);
}
