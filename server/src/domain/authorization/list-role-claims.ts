import type { Reader } from "../../database/index.ts";
import { listRoleClaimRows, type RoleClaimQuery } from "./role-claim.store.ts";

/** Role key → id of the organization that assigned the role → its primary domain. */
export type RoleClaims = Readonly<Record<string, Readonly<Record<string, string>>>>;

/**
 * Lists the roles of a user in each project with at least one role: the content of role claims in tokens and userinfo.
 */
export async function listRoleClaims(
  reader: Reader,
  instanceId: string,
  query: RoleClaimQuery,
): Promise<ReadonlyMap<string, RoleClaims>> {
  if (query.projectIds.length === 0) return new Map();
  const rows = await listRoleClaimRows(reader, instanceId, query);
  const byProject = Map.groupBy(rows, ({ projectId }) => projectId);
  return new Map([...byProject].map(([projectId, roles]) => [projectId, toClaims(roles)]));
}

// `Object.fromEntries` makes every key an own member, so that a role named `__proto__` is just a role.
function toClaims(rows: readonly { roleKey: string; organizationId: string; primaryDomain: string }[]): RoleClaims {
  const byRole = Map.groupBy(rows, ({ roleKey }) => roleKey);
  return Object.fromEntries(
    [...byRole].map(([roleKey, granted]) => [
      roleKey,
      Object.fromEntries(granted.map(({ organizationId, primaryDomain }) => [organizationId, primaryDomain])),
    ]),
  );
}
