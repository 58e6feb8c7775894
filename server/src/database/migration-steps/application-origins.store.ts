import { originsIn } from "../../base/names/origins.ts";
import { ask, type MigrationStep } from "../migration-step.ts";
import { join, sql } from "../sql.ts";

interface Application {
  readonly instanceId: string;
  readonly applicationId: string;
  readonly organizationId: string;
  readonly configuration: string;
}

const batch = 50;

/** Step of migration 206: writes the origins of the applications that exist already. */
export function* fillApplicationOrigins(): MigrationStep {
  let last: Pick<Application, "instanceId" | "applicationId"> | undefined = { instanceId: "", applicationId: "" };
  while (last !== undefined) {
    const applications: readonly Application[] = yield* ask<Application>(sql`select instance_id as "instanceId",
        application_id as "applicationId", organization_id as "organizationId", configuration
      from applications where (instance_id, application_id) > (${last.instanceId}, ${last.applicationId})
        and state = 'active' and (requires_consent = 0 or not exists (select 1 from registrations r
          where r.instance_id = applications.instance_id and r.application_id = applications.application_id))
      order by instance_id, application_id limit ${batch}`);
    for (const { instanceId, applicationId, organizationId, configuration } of applications) {
      const rows = originsIn(JSON.parse(configuration)).map(
        (origin) => sql`(${instanceId}, ${applicationId}, ${origin}, ${organizationId})`,
      );
      if (rows.length === 0) continue;
      yield sql`insert into application_origins (instance_id, application_id, origin, organization_id)
        values ${join(rows, ", ")}`;
    }
    last = applications.at(-1);
  }
}
