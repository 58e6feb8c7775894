import type { Reader } from "../../database/index.ts";
import { findProject } from "../project/index.ts";
import { findUserScope } from "../user/index.ts";
import { listRoleClaims, type RoleClaims } from "./list-role-claims.ts";
import type { RoleClaimQuery } from "./role-claim.store.ts";

interface LimitedQuery extends RoleClaimQuery {
  /** Project of the application that asks; absent for service accounts, which have none. */
  readonly ownProjectId: string | undefined;
  readonly limit: number;
}

type ByProject = ReadonlyMap<string, RoleClaims>;

/**
 * Lists the same as `listRoleClaims`, up to a limit. First come the roles that the owner of the application's project
 * and the home organization of the user assigned: any other organization to which the project is granted could
 * otherwise take their place, or keep the user out. Of these, as many are left out as it takes. Undefined where the
 * former alone are too many.
 */
export async function listMostRoleClaims(
  reader: Reader,
  instanceId: string,
  { ownProjectId, limit, ...query }: LimitedQuery,
): Promise<ByProject | undefined> {
  const all = await listRoleClaims(reader, instanceId, { ...query, limit: limit + 1 });
  if (countOf(all) <= limit) return all;
  const { userId, organizationIds: named } = query;
  const project = ownProjectId === undefined ? undefined : await findProject(reader, instanceId, ownProjectId);
  const user = await findUserScope(reader, instanceId, userId);
  const trusted = [project?.organizationId, user?.organizationId].flatMap((id) => id ?? []);
  const organizationIds = [...new Set(trusted)].filter((id) => named === undefined || named.includes(id));
  const first =
    organizationIds.length === 0
      ? new Map<string, RoleClaims>()
      : await listRoleClaims(reader, instanceId, { ...query, organizationIds, limit: limit + 1 });
  return countOf(first) > limit ? undefined : fill(first, all, limit);
}

/** Counts the roles of all projects, each once for every organization that assigned it. */
function countOf(byProject: ByProject): number {
  let count = 0;
  for (const roles of byProject.values()) {
    for (const organizations of Object.values(roles)) count += Object.keys(organizations).length;
  }
  return count;
}

// Maps at each level, because a role may have any name.
function fill(first: ByProject, others: ByProject, limit: number): ByProject {
  const filled = new Map<string, Map<string, Map<string, string>>>();
  let count = 0;
  for (const source of [first, others]) {
    for (const [projectId, role, organizationId, domain] of entriesOf(source)) {
      const roles = filled.get(projectId) ?? new Map<string, Map<string, string>>();
      const organizations = roles.get(role) ?? new Map<string, string>();
      if (organizations.has(organizationId)) continue;
      if (count === limit) return toClaims(filled);
      organizations.set(organizationId, domain);
      filled.set(projectId, roles.set(role, organizations));
      count += 1;
    }
  }
  return toClaims(filled);
}

function* entriesOf(byProject: ByProject): Generator<readonly [string, string, string, string]> {
  for (const [projectId, roles] of byProject) {
    for (const [role, organizations] of Object.entries(roles)) {
      for (const [organizationId, domain] of Object.entries(organizations)) {
        yield [projectId, role, organizationId, domain];
      }
    }
  }
}

const toClaims = (filled: ReadonlyMap<string, ReadonlyMap<string, ReadonlyMap<string, string>>>): ByProject =>
  new Map(
    [...filled].map(([projectId, roles]) => [
      projectId,
      Object.fromEntries([...roles].map(([role, organizations]) => [role, Object.fromEntries(organizations)])),
    ]),
  );
