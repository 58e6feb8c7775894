import type { Administrator } from "@doorward/api/service/internal_permission/v2/administrator_pb";
import { usePermissionsOf } from "../../shell/access.ts";
import { t } from "../../text/catalogue.ts";

/** Returns why the user cannot change or remove an administrator, or undefined when they can. */
export function useAdministratorObstacle({ resource }: Administrator, action: "write" | "delete"): string | undefined {
  const organizationId = resource.case === "organization" ? resource.value.id : organizationOf(resource);
  const permissions = usePermissionsOf(organizationId);
  const prefix = { instance: "iam", organization: "org", project: "project", projectGrant: "project.grant" }[
    resource.case ?? "instance"
  ];
  const permission = `${prefix}.member.${action}`;
  const ofResource = typeof resource.value === "object" ? `${permission}:${resource.value.id}` : permission;
  if (permissions === undefined || permissions.has(permission) || permissions.has(ofResource)) return undefined;
  return t("access.missing", { permission });
}

const organizationOf = (resource: Administrator["resource"]): string | undefined => {
  if (resource.case === "project" || resource.case === "projectGrant") return resource.value.organizationId;
  return undefined;
};
