import { Fault } from "../../base/fault.ts";
import { canonicalName } from "../../base/names/canonical.ts";
import { isName } from "../../base/names/name.ts";
import type { Call } from "../../call/index.ts";
import { type Database, type Details, UniqueViolation } from "../../database/index.ts";
import { holdAuthorizedProject } from "./authorize-project.ts";
import { updateProjectRow } from "./project.store.ts";
import { type Project, type ProjectSettings, projectAggregate, projectPayload } from "./project.ts";

/** What to change; absent members stay as they are. */
export interface ProjectUpdate extends Partial<ProjectSettings> {
  readonly projectId: string;
  readonly name?: string;
}

/** Changes name and settings of a project. Refuses a name that another project of the organization has. */
export async function updateProject(
  deps: { readonly database: Database },
  call: Call,
  input: ProjectUpdate,
): Promise<Details> {
  return deps.database.change(call, async (tx) => {
    const project = await holdAuthorizedProject(tx, input.projectId, "project.write");
    const wanted = { ...project, ...input };
    if (!isName(wanted.name)) throw new Fault("invalid_argument", "project.name_invalid", { field: "name" });
    if (isSame(project, wanted)) return project.details;
    const updated = await updateProjectRow(tx, { ...wanted, nameKey: canonicalName(wanted.name) }).catch(
      refuseTakenName,
    );
    if (updated === undefined) return project.details;
    tx.record({
      type: "project.updated",
      ...projectAggregate(updated),
      sequence: updated.details.sequence,
      payload: projectPayload(updated),
    });
    return updated.details;
  });
}

function isSame(left: Project, right: Project): boolean {
  return (
    left.name === right.name &&
    left.isRoleAssertionOn === right.isRoleAssertionOn &&
    left.isAuthorizationRequired === right.isAuthorizationRequired &&
    left.isProjectAccessRequired === right.isProjectAccessRequired &&
    left.privateLabeling === right.privateLabeling
  );
}

function refuseTakenName(error: unknown): never {
  if (error instanceof UniqueViolation) {
    throw new Fault("already_exists", "project.name_taken", { field: "name", cause: error });
  }
  throw error;
}
