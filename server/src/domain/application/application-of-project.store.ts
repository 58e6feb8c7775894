import { type Reader, sql } from "../../database/index.ts";
import type { Application } from "./application.ts";
import { type ApplicationRow, applicationColumns, toApplication } from "./application-row.ts";

/** Lists all applications of a project, oldest first. */
export async function listApplicationsOfProject(
  reader: Reader,
  instanceId: string,
  projectId: string,
  limit = Number.MAX_SAFE_INTEGER,
): Promise<Application[]> {
  const rows = await reader.all<ApplicationRow>(sql`select ${applicationColumns} from applications
    where instance_id = ${instanceId} and project_id = ${projectId} order by created_at, application_id limit ${limit}`);
  return rows.map(toApplication);
}
