import type { Tx } from "../../database/index.ts";
import { removeAuthorizations } from "../authorization/index.ts";
import { holdProject, holdProjectsOfOrganization, listGrantsToOrganization } from "../project/index.ts";
import { discardProject } from "./delete-project.ts";
import { discardProjectGrant } from "./delete-project-grant.ts";

/**
 * Step, for an organization that is being deleted and locked: deletes its projects, returns the projects that were lent
 * to it, and deletes the role assignments in it.
 */
export async function discardProjectsOfOrganization(tx: Tx, organizationId: string): Promise<void> {
  for (const project of await holdProjectsOfOrganization(tx, organizationId)) await discardProject(tx, project);
  for (const grant of await listGrantsToOrganization(tx, tx.instanceId, organizationId)) {
    await holdProject(tx, grant.projectId, "alone");
    await discardProjectGrant(tx, grant);
  }
  await removeAuthorizations(tx, { organizationId });
}
