import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import { changeRows, type Database, type Details, performBefore, type Tx } from "../../database/index.ts";
import { countAuthorizationsWithRoles, takeRoles } from "../authorization/index.ts";
import {
  authorizeProjectGrant,
  compareGrantRoles,
  type ProjectGrant,
  type ProjectGrantReference,
  setProjectGrantRoles,
} from "../project/index.ts";

// As many as one call may name. Grants from before that bound have more.
const mostRemoved = 1000;
// What has more is changed in turns.
const few = 100;

/** Replaces the roles that a grant lends. Role assignments over it lose roles that are no longer lent. */
export async function updateProjectGrant(
  deps: { readonly database: Database },
  call: Call,
  input: ProjectGrantReference & { readonly roleKeys: readonly string[] },
): Promise<Details> {
  return changeRows({ database: deps.database, call, asked: input.roleKeys.length }, async (tx, expect) => {
    const grant = await holdGrantToChange(tx, input);
    const { removed, added } = await compareGrantRoles(tx, grant, input.roleKeys);
    const of = { projectGrantId: grant.grantId };
    const assigned = await countAuthorizationsWithRoles(tx, of, { roleKeys: removed, most: few });
    expect(removed.length + added.length + assigned);
    await performBefore(tx, {
      isLeft: async () => removed.length > mostRemoved,
      perform: (own) => takeFrom(own, input, new Set(removed.slice(0, mostRemoved))),
    });
    const changed = await setProjectGrantRoles(tx, grant, { removed, added });
    await takeRoles(tx, of, removed);
    return changed.details;
  });
}

async function holdGrantToChange(tx: Tx, reference: ProjectGrantReference): Promise<ProjectGrant> {
  const { grant } = await authorizeProjectGrant(tx, reference, "project.grant.write");
  if (grant === undefined) throw new Fault("not_found", "project_grant.not_found");
  return grant;
}

// Others may have changed the grant since the unit that found the roles.
async function takeFrom(tx: Tx, reference: ProjectGrantReference, roleKeys: ReadonlySet<string>): Promise<void> {
  const grant = await holdGrantToChange(tx, reference);
  const removed = grant.roleKeys.filter((key) => roleKeys.has(key));
  await setProjectGrantRoles(tx, grant, { removed, added: [] });
  await takeRoles(tx, { projectGrantId: grant.grantId }, removed);
}
