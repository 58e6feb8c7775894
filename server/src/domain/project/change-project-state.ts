import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import type { Database, Details } from "../../database/index.ts";
import { findInstance } from "../instance/index.ts";
import { holdAuthorizedProject } from "./authorize-project.ts";
import { updateProjectState } from "./project.store.ts";
import { type ProjectState, projectAggregate } from "./project.ts";

const events = { active: "project.activated", inactive: "project.deactivated" } as const;

/**
 * Activates or deactivates a project; its current state may be set again. Users cannot sign in to applications of an
 * inactive project, so the built-in project stays active.
 */
export async function changeProjectState(
  deps: { readonly database: Database },
  call: Call,
  input: { readonly projectId: string; readonly state: ProjectState },
): Promise<Details> {
  return deps.database.change(call, async (tx) => {
    const project = await holdAuthorizedProject(tx, input.projectId, "project.write");
    const instance = await findInstance(tx, tx.instanceId);
    if (input.state === "inactive" && instance?.systemProjectId === project.projectId)
      throw new Fault("failed_precondition", "project.is_system");
    const changed = await updateProjectState(tx, input.projectId, input.state);
    if (changed === undefined) return project.details;
    tx.record({ type: events[input.state], ...projectAggregate(changed), sequence: changed.details.sequence });
    return changed.details;
  });
}
