import type { Call } from "../../call/index.ts";
import { changeRows, type Database, type Tx } from "../../database/index.ts";
import { countAuthorizationsWithRoles, takeRoles } from "../authorization/index.ts";
import { countGrantsWithRole, hasMoreRoles, holdAuthorizedProject, removeRoleFromProject } from "../project/index.ts";

interface RoleOfProject {
  readonly projectId: string;
  readonly roleKey: string;
}

// What has more is changed in turns.
const few = 100;

/**
 * Removes a role from a project, its grants and all role assignments. Removing an absent role succeeds, and no
 * time is returned.
 */
export async function removeProjectRole(
  deps: { readonly database: Database },
  call: Call,
  { projectId, roleKey }: RoleOfProject,
): Promise<{ readonly removedAt?: number }> {
  return changeRows({ database: deps.database, call, asked: 1 }, async (tx, expect) => {
    const project = await holdAuthorizedProject(tx, projectId, "project.role.write");
    expect(await countThoseWithRole(tx, { projectId, roleKey }));
    // Each event has all roles that are left.
    const size = (await hasMoreRoles(tx, projectId, few)) ? few / 10 : few;
    if (!(await removeRoleFromProject(tx, project, { roleKey, size }))) return {};
    await takeRoles(tx, { projectId }, [roleKey], size);
    return { removedAt: tx.now };
  });
}

async function countThoseWithRole(tx: Tx, { projectId, roleKey }: RoleOfProject): Promise<number> {
  const grants = await countGrantsWithRole(tx, { projectId, roleKey }, few);
  return grants + (await countAuthorizationsWithRoles(tx, { projectId }, { roleKeys: [roleKey], most: few }));
}
