import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import type { Database, Details } from "../../database/index.ts";
import { takeRoles } from "../authorization/index.ts";
import { authorizeProjectGrant, type ProjectGrantReference, setProjectGrantRoles } from "../project/index.ts";

/** Replaces the roles that a grant lends. Role assignments over it lose roles that are no longer lent. */
export async function updateProjectGrant(
  deps: { readonly database: Database },
  call: Call,
  input: ProjectGrantReference & { readonly roleKeys: readonly string[] },
): Promise<Details> {
  return deps.database.change(call, async (tx) => {
    const { grant } = await authorizeProjectGrant(tx, input, "project.grant.write");
    if (grant === undefined) throw new Fault("not_found", "project_grant.not_found");
    const changed = await setProjectGrantRoles(tx, grant, input.roleKeys);
    await takeRoles(tx, { projectGrantId: grant.grantId }, changed.removed);
    return changed.grant.details;
  });
}
