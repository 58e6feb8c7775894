import { Fault } from "../../base/fault.ts";
import type { Tx } from "../../database/index.ts";
import { listExistingRoleKeys, type Project, type ProjectGrant } from "../project/index.ts";

/**
 * Returns the role keys without duplicates, in alphabetical order. Rejects keys that are not roles of the project, and
 * over a grant those that were not lent.
 */
export async function checkAssignableRoles(
  tx: Tx,
  assignment: { readonly project: Pick<Project, "projectId">; readonly grant: ProjectGrant | undefined },
  roleKeys: readonly string[],
): Promise<string[]> {
  const wanted = [...new Set(roleKeys)].sort();
  const assignable =
    assignment.grant === undefined
      ? await listExistingRoleKeys(tx, tx.instanceId, assignment.project.projectId, wanted)
      : new Set(assignment.grant.roleKeys);
  const unknown = wanted.find((roleKey) => !assignable.has(roleKey));
  if (unknown !== undefined) {
    throw new Fault("failed_precondition", "authorization.role_unknown", {
      field: `roleKeys[${roleKeys.indexOf(unknown)}]`,
      values: { role: unknown },
    });
  }
  return wanted;
}
