import type { IdGenerator } from "../../base/id.ts";
import { type Call, requireCaller } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { requireChoiceOfIdentifier } from "../instance/index.ts";
import { reachMilestone } from "../milestone/index.ts";
import { authorizeCreation, createProject, type NewProject, type Project } from "../project/index.ts";
import { addMembership } from "./add-membership.ts";
import type { GainDeps } from "./gain.ts";

export interface CreateProjectDeps extends GainDeps {
  readonly database: Database;
  readonly newId: IdGenerator;
}

/**
 * Creates a project in an organization where the caller may do so. A caller who may create projects but not change
 * those of the organization (ORG_PROJECT_CREATOR) becomes the owner of the
 * new one, and their other sessions that an administrator with fewer rights could have opened end.
 */
export async function createProjectOfCaller(deps: CreateProjectDeps, call: Call, input: NewProject): Promise<Project> {
  return deps.database.change(call, async (tx) => {
    await authorizeCreation(tx, input.organizationId, "project.create");
    requireChoiceOfIdentifier(call, "project.create", { identifier: input.projectId, field: "projectId" });
    const project = await createProject(tx, deps, input);
    await reachMilestone(tx, "project_created");
    const { access, userId } = requireCaller(call);
    if (!access.allows("project.write", project)) {
      const scope = { level: "project", resourceId: project.projectId, ownerId: project.organizationId } as const;
      await addMembership(tx, deps, scope, { userId, roles: ["PROJECT_OWNER"] });
    }
    return project;
  });
}
