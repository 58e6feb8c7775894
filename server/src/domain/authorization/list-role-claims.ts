import type { Reader } from "../../database/index.ts";
import { listRoleClaimRows, type RoleClaimQuery } from "./role-claim.store.ts";

/** Role key → id of the organization that assigned the role → its primary domain. */
export type RoleClaims = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The roles of a user in each of the projects where there are any: what role claims of tokens and userinfo say. */
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

// `Object.fromEntries` makes own members of whatever the key is, so that a role `__proto__` is a role and nothing else.
function toClaims(rows: readonly { roleKey: string; organizationId: string; primaryDomain: string }[]): RoleClaims {
  const byRole = Map.groupBy(rows, ({ roleKey }) => roleKey);
  return Object.fromEntries(
    [...byRole].map(([roleKey, granted]) => [
      roleKey,
      Object.fromEntries(granted.map(({ organizationId, primaryDomain }) => [organizationId, primaryDomain])),
    ]),
  );
}
