import type { Json, ServiceForm } from "../form.ts";

/** Version 2 names a project grant by the project and the organization, or by its id, which stands alone here. */
function toGrant({ projectGrantId, ...filter }: Json): Json {
  return projectGrantId === undefined ? filter : { projectGrant: { projectGrantId } };
}

/** Administrators. */
export const permissionForm: ServiceForm = {
  of: "service.internal_permission.v2.InternalPermissionService",
  messages: {
    "internal_permission.v2beta.ResourceFilter": { toCurrent: toGrant },
  },
};
