import { type Json, listOf, memberOf, type ServiceForm } from "../form.ts";

/** Version 2 takes several users at once. */
function toUserFilter({ userId, ...filter }: Json): Json {
  return userId === undefined ? filter : { inUserIds: { ids: [memberOf({ userId }, "userId")["id"] ?? ""] } };
}

/** Version 2 has records of the project, the organization and the roles. */
function flatten(authorization: Json): Json {
  const project = memberOf(authorization, "project");
  const { id: organizationId } = memberOf(authorization, "organization");
  const isGranted = organizationId !== undefined && organizationId !== project["organizationId"];
  return {
    ...authorization,
    projectId: project["id"],
    projectName: project["name"],
    projectOrganizationId: project["organizationId"],
    organizationId,
    ...(isGranted && { grantedOrganizationId: organizationId }),
    roles: listOf(authorization, "roles").map(({ key }) => key),
  };
}

/** Role assignments. */
export const authorizationForm: ServiceForm = {
  of: "service.authorization.v2.AuthorizationService",
  messages: {
    "authorization.v2beta.AuthorizationsSearchFilter": { toCurrent: toUserFilter },
    "authorization.v2beta.Authorization": { fromCurrent: flatten },
  },
};
