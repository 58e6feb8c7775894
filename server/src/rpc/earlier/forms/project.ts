import { type Json, memberOf, renamed, type ServiceForm } from "../form.ts";

const projectId = renamed({ id: "projectId" });

// Numbers of ProjectOrganizationIDFilter.Type.
const ties = {
  projectResourceOwnerFilter: 1,
  projectGrantResourceOwnerFilter: 2,
  projectOrganizationIdFilter: 3,
} as const;

/** Version 2 has one filter for every tie of an organization to a project. */
function toOrganizationFilter(filter: Json): Json {
  const [name] = Object.keys(filter);
  if (name === undefined || !(name in ties)) return filter;
  const { id = "" } = memberOf(filter, name);
  return { organizationIdFilter: { organizationId: id, type: ties[name as keyof typeof ties] } };
}

/** Projects, their roles and grants. */
export const projectForm: ServiceForm = {
  of: "service.project.v2.ProjectService",
  messages: {
    "project.v2beta.CreateProjectRequest": projectId,
    "project.v2beta.CreateProjectResponse": projectId,
    "project.v2beta.UpdateProjectRequest": renamed({
      id: "projectId",
      projectRoleCheck: "authorizationRequired",
      hasProjectCheck: "projectAccessRequired",
    }),
    "project.v2beta.DeleteProjectRequest": projectId,
    "project.v2beta.GetProjectRequest": projectId,
    "project.v2beta.DeactivateProjectRequest": projectId,
    "project.v2beta.ActivateProjectRequest": projectId,
    "project.v2beta.Project": projectId,
    "project.v2beta.ProjectSearchFilter": { toCurrent: toOrganizationFilter },
    "project.v2beta.ProjectGrantSearchFilter": renamed({
      projectResourceOwnerFilter: "organizationIdFilter",
      projectGrantResourceOwnerFilter: "grantedOrganizationIdFilter",
    }),
  },
};
