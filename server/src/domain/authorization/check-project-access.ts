import type { Reader } from "../../database/index.ts";
import { findProjectAccess } from "./project-access.store.ts";

/** What the project of a client requires of its users (`Client` has these fields). */
export interface ProjectDemands {
  readonly projectId: string;
  /** Owner of the project. */
  readonly organizationId: string;
  readonly isAuthorizationRequired: boolean;
  readonly isProjectAccessRequired: boolean;
}

/** Whether a user may sign in, or the reason why not, for the page that explains it. */
export type ProjectAccess = "allowed" | "organization_without_project" | "user_without_role";

/**
 * Decides whether a user may sign in to applications of a project. When the project requires it, the user's
 * organization must own the project or have been lent it, and the user must have a role in it. Inactive records do not
 * count.
 */
export async function checkProjectAccess(
  reader: Reader,
  instanceId: string,
  input: { readonly userId: string; readonly userOrganizationId: string; readonly project: ProjectDemands },
): Promise<ProjectAccess> {
  const { project, userOrganizationId } = input;
  const isOwners = userOrganizationId === project.organizationId;
  if (!project.isAuthorizationRequired && (!project.isProjectAccessRequired || isOwners)) return "allowed";
  const { hasGrant, hasRole } = await findProjectAccess(reader, instanceId, { ...input, projectId: project.projectId });
  if (project.isProjectAccessRequired && !isOwners && !hasGrant) return "organization_without_project";
  return project.isAuthorizationRequired && !hasRole ? "user_without_role" : "allowed";
}
