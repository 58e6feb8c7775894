export { deleteApplication, discardApplication } from "./delete-application.ts";
export { deleteInstance, type PurgeDeps, purgeDeletedInstances } from "./delete-instance.ts";
export { deleteOrganization } from "./delete-organization.ts";
export { deleteProject, discardProject } from "./delete-project.ts";
export { deleteProjectGrant, discardProjectGrant } from "./delete-project-grant.ts";
export { deleteUser, discardUsersOfOrganization } from "./delete-user.ts";
export { discardProjectsOfOrganization } from "./discard-projects-of-organization.ts";
export { removeProjectRole } from "./remove-project-role.ts";
export { updateProjectGrant } from "./update-project-grant.ts";
