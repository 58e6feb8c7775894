import { performAll, type Tx } from "../../database/index.ts";
import { removeAuthorizations } from "../authorization/index.ts";
import { holdProject, holdProjectsOfOrganization, listGrantsToOrganization } from "../project/index.ts";
import { discardProject } from "./delete-project.ts";
import { discardProjectGrant } from "./delete-project-grant.ts";

// Each may have a batch of many things.
const projectsAtOnce = 10;

/**
 * Step, for an organization that is being deleted and locked: deletes its projects, returns the projects that were lent
 * to it, and deletes the role assignments in it.
 */
export async function discardProjectsOfOrganization(tx: Tx, organizationId: string): Promise<void> {
  await performAll(tx, {
    list: (own, limit) => holdProjectsOfOrganization(own, organizationId, limit),
    perform: async (own, projects) => {
      for (const project of projects) await discardProject(own, project);
    },
    size: projectsAtOnce,
  });
  await performAll(tx, {
    list: (own, limit) => listGrantsToOrganization(own, organizationId, limit),
    perform: async (own, grants) => {
      for (const grant of grants) {
        await holdProject(own, grant.projectId, "alone");
        await discardProjectGrant(own, grant);
      }
    },
    size: projectsAtOnce,
  });
  await removeAuthorizations(tx, { organizationId });
}
