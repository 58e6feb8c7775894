import { useQuery } from "@connectrpc/connect-query";
import { AdminService } from "@doorward/api/service/admin/v1/admin_service_pb";
import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import type { Choice } from "../../parts/picker.tsx";
import { knownRoles, type Level, roleDuty, roleName } from "./roles.ts";

/** The roles that the server offers at a level, with what each may do; undefined until they are known. */
export function useRoleChoices(level: Level): readonly Choice[] | undefined {
  const { method } = ManagementService;
  const options = { staleTime: 600_000 };
  const ofInstance = useQuery(AdminService.method.listIAMMemberRoles, {}, { ...options, enabled: level === "instance" })
    .data?.roles;
  const ofOrganization = useQuery(method.listOrgMemberRoles, {}, { ...options, enabled: level === "organization" }).data
    ?.result;
  const ofProject = useQuery(method.listProjectMemberRoles, {}, { ...options, enabled: level === "project" }).data
    ?.result;
  const ofGrant = useQuery(method.listProjectGrantMemberRoles, {}, { ...options, enabled: level === "projectGrant" })
    .data?.result;
  const roles = { instance: ofInstance, organization: ofOrganization, project: ofProject, projectGrant: ofGrant }[
    level
  ];
  return roles && inOrder(level, roles).map((role) => ({ id: role, name: roleName(role), detail: roleDuty(role) }));
}

const inOrder = (level: Level, roles: readonly string[]): readonly string[] => {
  const order: readonly string[] = knownRoles[level];
  return roles.toSorted((a, b) => rank(order, a) - rank(order, b));
};

const rank = (order: readonly string[], role: string): number => {
  const at = order.indexOf(role);
  return at === -1 ? order.length : at;
};
