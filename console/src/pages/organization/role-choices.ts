import type { Transport } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import { useQuery } from "@tanstack/react-query";
import { loadAdmin, loadManagement } from "../../api/first-version.ts";
import type { Choice } from "../../parts/picker.tsx";
import { knownRoles, type Level, roleDuty, roleName } from "./roles.ts";

const readers: Readonly<Record<Level, (transport: Transport) => Promise<readonly string[]>>> = {
  instance: async (transport) => (await (await loadAdmin(transport)).listIAMMemberRoles({})).roles,
  organization: async (transport) => (await (await loadManagement(transport)).listOrgMemberRoles({})).result,
  project: async (transport) => (await (await loadManagement(transport)).listProjectMemberRoles({})).result,
  projectGrant: async (transport) => (await (await loadManagement(transport)).listProjectGrantMemberRoles({})).result,
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
