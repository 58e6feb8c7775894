import type { Reader } from "../../database/index.ts";
import { findProject } from "../project/index.ts";
import { findUserScope } from "../user/index.ts";
import { listRoleClaims, type RoleClaims } from "./list-role-claims.ts";
import type { RoleClaimQuery } from "./role-claim.store.ts";

interface LimitedQuery extends RoleClaimQuery {
  /** Project of the application that asks; absent for service accounts, which have none. */
  readonly ownProjectId: string | undefined;
  readonly limit: number;
  /** Bytes of those that are left out where there are too many. */
  readonly mostBytes: number;
}

/** Project, role, organization, and its domain. */
type Entry = readonly [projectId: string, role: string, organizationId: string, domain: string];
type ByProject = ReadonlyMap<string, RoleClaims>;

/**
 * Lists the same as `listRoleClaims`, up to a limit. First come the roles that the owner of the application's project
 * and the home organization of the user assigned: any other organization to which the project is granted could
 * otherwise take their place, or keep the user out by the length. Then come those that the owners of other projects
 * assigned, of each project for itself. Of all but the first, as many are left out as it takes. Undefined where the
 * first alone are too many.
 */
export async function listMostRoleClaims(
  reader: Reader,
  instanceId: string,
  { ownProjectId, limit, mostBytes, ...query }: LimitedQuery,
): Promise<ByProject | undefined> {
  const all = await listRoleClaims(reader, instanceId, { ...query, limit: limit + 1 });
  if (countOf(all) <= limit && lengthOf(all) <= mostBytes) return all;
  const { userId, organizationIds: named } = query;
  const project = ownProjectId === undefined ? undefined : await findProject(reader, instanceId, ownProjectId);
  const user = await findUserScope(reader, instanceId, userId);
  const trusted = [project?.organizationId, user?.organizationId].flatMap((id) => id ?? []);
  const organizationIds = [...new Set(trusted)].filter((id) => named === undefined || named.includes(id));
  const first =
    organizationIds.length === 0
      ? new Map<string, RoleClaims>()
      : await listRoleClaims(reader, instanceId, { ...query, organizationIds, limit: limit + 1 });
  if (countOf(first) > limit) return undefined;
  const own = await listRolesOfOwners(reader, instanceId, { ...query, limit }, ownProjectId);
  return fill([first, ...own, all], { limit, mostBytes });
}

/** Lists what the owners of the other projects assigned, of each for itself: their partners come after them. */
async function listRolesOfOwners(
  reader: Reader,
  instanceId: string,
  query: RoleClaimQuery & { readonly limit: number },
  ownProjectId: string | undefined,
): Promise<readonly ByProject[]> {
  const lists: ByProject[] = [];
  for (const projectId of query.projectIds) {
    const owner = projectId === ownProjectId ? undefined : await findProject(reader, instanceId, projectId);
    const organizationId = owner?.organizationId;
    if (organizationId === undefined || query.organizationIds?.includes(organizationId) === false) continue;
    const ofOwner = { ...query, projectIds: [projectId], organizationIds: [organizationId] };
    lists.push(await listRoleClaims(reader, instanceId, ofOwner));
  }
  return lists;
}

/** Counts the roles of all projects, each once for every organization that assigned it. */
function countOf(byProject: ByProject): number {
  let count = 0;
  for (const roles of byProject.values()) {
    for (const organizations of Object.values(roles)) count += Object.keys(organizations).length;
  }
  return count;
}

function lengthOf(byProject: ByProject): number {
  let length = 0;
  for (const entry of entriesOf(byProject)) length += lengthOfEntry(entry);
  return length;
}

// The role counts with each organization: its names are as long as the owner of the project wants.
const lengthOfEntry = ([, role, organizationId, domain]: Entry): number =>
  Buffer.byteLength(role) + Buffer.byteLength(organizationId) + Buffer.byteLength(domain);

// Maps at each level, because a role may have any name.
function fill(
  [first, ...others]: readonly [ByProject, ...ByProject[]],
  { limit, mostBytes }: { readonly limit: number; readonly mostBytes: number },
): ByProject {
  const filled = new Map<string, Map<string, Map<string, string>>>();
  let count = 0;
  let left = mostBytes;
  for (const source of [first, ...others]) {
    for (const entry of entriesOf(source)) {
      const [projectId, role, organizationId, domain] = entry;
      const roles = filled.get(projectId) ?? new Map<string, Map<string, string>>();
      const organizations = roles.get(role) ?? new Map<string, string>();
      if (organizations.has(organizationId)) continue;
      if (source !== first) left -= lengthOfEntry(entry);
      if (count === limit || left < 0) return toClaims(filled);
      organizations.set(organizationId, domain);
      filled.set(projectId, roles.set(role, organizations));
      count += 1;
    }
  }
  return toClaims(filled);
}

function* entriesOf(byProject: ByProject): Generator<Entry> {
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
