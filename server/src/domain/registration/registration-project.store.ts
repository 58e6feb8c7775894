import { sql, type Tx } from "../../database/index.ts";

/** Returns the id of the project for the registered clients of an organization, if it has been created. */
export async function findRegistrationProjectId(tx: Tx, organizationId: string): Promise<string | undefined> {
  const row = await tx.maybe<{ projectId: string }>(sql`select project_id as "projectId" from registration_projects
    where instance_id = ${tx.instanceId} and organization_id = ${organizationId}`);
  return row?.projectId;
}

/** Remembers the project, replacing one that is gone. */
export async function putRegistrationProject(tx: Tx, organizationId: string, projectId: string): Promise<void> {
  await tx.run(sql`insert into registration_projects (instance_id, organization_id, project_id)
    values (${tx.instanceId}, ${organizationId}, ${projectId})
    on conflict (instance_id, organization_id) do update set project_id = ${projectId}`);
}

/** Step: forgets a project that is being deleted. */
export async function forgetRegistrationProject(tx: Tx, projectId: string): Promise<void> {
  await tx.run(
    sql`delete from registration_projects where instance_id = ${tx.instanceId} and project_id = ${projectId}`,
  );
}
