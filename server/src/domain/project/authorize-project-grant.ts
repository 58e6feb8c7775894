import { Fault } from "../../base/fault.ts";
import { holdForCaller, requireCaller } from "../../call/index.ts";
import type { Tx } from "../../database/index.ts";
import { findProject, holdProject } from "./project.store.ts";
import { type Project, projectAbsence } from "./project.ts";
import { findProjectGrant } from "./project-grant.store.ts";
import { grantScopes, holdsOnEitherSide, type ProjectGrant, type ProjectGrantReference } from "./project-grant.ts";

/**
 * Returns the project, locked exclusively, and its grant if there is one, if the caller has the permission on the
 * owner's side. A caller who may read the grant learns that the permission is missing; to any other caller the grant
 * does not exist.
 */
export async function authorizeProjectGrant(
  tx: Tx,
  reference: ProjectGrantReference,
  permission: "project.grant.write" | "project.grant.delete",
): Promise<{ readonly project: Project; readonly grant: ProjectGrant | undefined }> {
  const { access } = requireCaller(tx.call);
  const holdable = holdableWithGrant(tx, reference);
  return holdForCaller(tx.call, permission, holdable, (found) => {
    const { project, grant } = found ?? {};
    if (project !== undefined && access.allows(permission, grant ? grantScopes(grant).owner : project)) {
      return { project, grant };
    }
    const isKnown =
      (project !== undefined && access.allows(projectAbsence.readPermission, project)) ||
      (grant !== undefined && holdsOnEitherSide(tx.call, "project.grant.read", grant));
    if (!isKnown) throw new Fault("not_found", "project_grant.not_found");
    throw new Fault("permission_denied", "permission.missing", { values: { permission } });
  });
}

/** How a unit of work finds a project with a grant, and how it locks the two exclusively. */
export function holdableWithGrant(tx: Tx, reference: ProjectGrantReference) {
  const withGrant = async (project: Project | undefined) => ({
    project,
    grant: project && (await findProjectGrant(tx, tx.instanceId, reference)),
  });
  return {
    find: async () => withGrant(await findProject(tx, tx.instanceId, reference.projectId)),
    hold: async () => withGrant(await holdProject(tx, reference.projectId, "alone")),
  };
}
