import { createClient, type Transport } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import { useQuery } from "@tanstack/react-query";
import type { Choice } from "../../parts/picker.tsx";
import { knownRoles, type Level, roleDuty, roleName } from "./roles.ts";

// These services name every message of version 1, so they come when they are asked.
const admin = async (transport: Transport) =>
  createClient((await import("@doorward/api/service/admin/v1/admin_service_pb")).AdminService, transport);
const management = async (transport: Transport) =>
  createClient(
    (await import("@doorward/api/service/management/v1/management_service_pb")).ManagementService,
    transport,
  );

const readers: Readonly<Record<Level, (transport: Transport) => Promise<readonly string[]>>> = {
  instance: async (transport) => (await (await admin(transport)).listIAMMemberRoles({})).roles,
  organization: async (transport) => (await (await management(transport)).listOrgMemberRoles({})).result,
  project: async (transport) => (await (await management(transport)).listProjectMemberRoles({})).result,
  projectGrant: async (transport) => (await (await management(transport)).listProjectGrantMemberRoles({})).result,
};

/** The roles that the server offers at a level, with what each may do; undefined until they are known. */
export function useRoleChoices(level: Level): readonly Choice[] | undefined {
  const transport = useTransport();
  const { data: roles } = useQuery({
    queryKey: ["administrator roles", level],
    queryFn: () => readers[level](transport),
    staleTime: 600_000,
  });
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
