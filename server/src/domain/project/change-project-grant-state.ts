import { Fault } from "../../base/fault.ts";
import { type Call, requireCaller, withoutLoginClient } from "../../call/index.ts";
import type { Database, Details, Tx } from "../../database/index.ts";
import { authorizeProjectGrant, holdableWithGrant } from "./authorize-project-grant.ts";
import { updateProjectGrantState } from "./project-grant.store.ts";
import {
  type ProjectGrant,
  type ProjectGrantReference,
  type ProjectGrantState,
  projectGrantAggregate,
} from "./project-grant.ts";
import { recognizeProjectGrant } from "./recognize-project-grant.ts";

const events = { active: "project_grant.activated", inactive: "project_grant.deactivated" } as const;

/**
 * Activates or deactivates a grant; its current state may be set again. Role assignments over an inactive grant are
 * void. The organization that the project is lent to deactivates it as well, which takes its recognition back: the
 * owner of the project may activate the grant again, and does not speak for that organization by it.
 */
export async function changeProjectGrantState(
  deps: { readonly database: Database },
  call: Call,
  input: ProjectGrantReference & { readonly state: ProjectGrantState },
): Promise<Details> {
  return deps.database.change(call, async (tx) => {
    const grant = await authorize(tx, input);
    const isForgotten = input.state === "inactive" && isOfGranted(tx, grant);
    const changed = await updateProjectGrantState(tx, grant.grantId, { state: input.state, isForgotten });
    if (changed === undefined) return grant.details;
    if (input.state === "active") await recognizeProjectGrant(tx, grant);
    tx.record({ type: events[input.state], ...projectGrantAggregate(changed), sequence: changed.details.sequence });
    return changed.details;
  });
}

const permission = "project.grant.write";

async function authorize(
  tx: Tx,
  { state, ...reference }: ProjectGrantReference & { readonly state: ProjectGrantState },
): Promise<ProjectGrant> {
  if (state === "inactive") {
    const { find, hold } = holdableWithGrant(tx, reference);
    const { grant: found } = await find();
    const lent = found !== undefined && isOfGranted(tx, found) ? (await hold()).grant : undefined;
    if (lent !== undefined && isOfGranted(tx, lent)) return lent;
  }
  const { grant } = await authorizeProjectGrant(tx, reference, permission);
  if (grant === undefined) throw new Fault("not_found", "project_grant.not_found");
  return grant;
}

// In all of that organization, or the instance: administrators of the grant alone may be users of the owner.
const isOfGranted = (tx: Tx, { grantedOrganizationId: organizationId }: ProjectGrant): boolean =>
  withoutLoginClient(requireCaller(tx.call).access).allows(permission, { organizationId });
