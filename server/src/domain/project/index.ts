export { addProjectRole } from "./add-project-role.ts";
export { addProjectRoles } from "./add-project-roles.ts";
export {
  type Asker,
  type AudienceProject,
  isLentTo,
  listAudienceProjectIds,
  listAudienceProjects,
  listProjectOwners,
} from "./audience-project.store.ts";
export { authorizeCreation } from "./authorize-creation.ts";
export { holdAuthorizedProject, holdProjectToDelete } from "./authorize-project.ts";
export { authorizeProjectGrant } from "./authorize-project-grant.ts";
export { changeProjectGrantState } from "./change-project-grant-state.ts";
export { changeProjectState } from "./change-project-state.ts";
export { createProject, type NewProject } from "./create-project.ts";
export { createProjectGrant } from "./create-project-grant.ts";
export { getProject } from "./get-project.ts";
export { getProjectGrant } from "./get-project-grant.ts";
export { listProjectGrants, type ProjectGrantSearch } from "./list-project-grants.ts";
export { listProjectRoles } from "./list-project-roles.ts";
export { listProjects } from "./list-projects.ts";
export { findProject, holdProject, holdProjectsOfOrganization, shareProjects } from "./project.store.ts";
export {
  type PrivateLabeling,
  type Project,
  type ProjectSettings,
  type ProjectState,
  projectAbsence,
  projectAggregate,
} from "./project.ts";
export {
  countGrantsWithRole,
  findProjectGrant,
  holdProjectGrant,
  listGrantsOfProject,
  listGrantsToOrganization,
} from "./project-grant.store.ts";
export {
  type ProjectGrant,
  type ProjectGrantReference,
  type ProjectGrantState,
  projectGrantAggregate,
} from "./project-grant.ts";
export type { ListedProjectGrant, ProjectGrantColumn, ProjectGrantFilter } from "./project-grant-list.store.ts";
export type { ListedProject, ProjectColumn, ProjectFilter } from "./project-list.store.ts";
export { requireProjectOfOrganization } from "./project-of-organization.ts";
export { hasMoreRoles, listExistingRoleKeys } from "./project-role.store.ts";
export { roleDetails } from "./project-role.ts";
export type { ListedProjectRole, ProjectRoleColumn, ProjectRoleFilter } from "./project-role-list.store.ts";
export { recognizeProjectGrant } from "./recognize-project-grant.ts";
export { removeProject } from "./remove-project.ts";
export { removeProjectGrant } from "./remove-project-grant.ts";
export { removeRoleFromProject } from "./remove-role-from-project.ts";
export { compareGrantRoles, setProjectGrantRoles } from "./set-project-grant-roles.ts";
export { updateProject } from "./update-project.ts";
export { updateProjectRole } from "./update-project-role.ts";
