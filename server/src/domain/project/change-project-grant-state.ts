import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import type { Database, Details } from "../../database/index.ts";
import { authorizeProjectGrant } from "./authorize-project-grant.ts";
import { updateProjectGrantState } from "./project-grant.store.ts";
import { type ProjectGrantReference, type ProjectGrantState, projectGrantAggregate } from "./project-grant.ts";
import { recognizeProjectGrant } from "./recognize-project-grant.ts";

const events = { active: "project_grant.activated", inactive: "project_grant.deactivated" } as const;

/**
 * Activates or deactivates a grant; its current state may be set again. Role assignments over an inactive grant are
 * void.
 */
export async function changeProjectGrantState(
  deps: { readonly database: Database },
  call: Call,
  input: ProjectGrantReference & { readonly state: ProjectGrantState },
): Promise<Details> {
  return deps.database.change(call, async (tx) => {
    const { grant } = await authorizeProjectGrant(tx, input, "project.grant.write");
    if (grant === undefined) throw new Fault("not_found", "project_grant.not_found");
    const changed = await updateProjectGrantState(tx, grant.grantId, input.state);
    if (changed === undefined) return grant.details;
    if (input.state === "active") await recognizeProjectGrant(tx, grant);
    tx.record({ type: events[input.state], ...projectGrantAggregate(changed), sequence: changed.details.sequence });
    return changed.details;
  });
}
