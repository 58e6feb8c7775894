import { Fault } from "../../base/fault.ts";
import type { IdGenerator } from "../../base/id.ts";
import type { Call } from "../../call/index.ts";
import { changeRows, type Database, type Tx } from "../../database/index.ts";
import { holdOrganization } from "../organization/index.ts";
import { holdAuthorizedProject } from "./authorize-project.ts";
import { countUnrecognizedGrants, insertProjectGrant } from "./project-grant.store.ts";
import { type ProjectGrant, projectGrantAggregate, projectGrantPayload } from "./project-grant.ts";
import { insertGrantRoles } from "./project-grant-role.store.ts";
import { listExistingRoleKeys } from "./project-role.store.ts";
import { isGivenByRecipient, recognizeProjectGrant } from "./recognize-project-grant.ts";

export interface NewProjectGrant {
  readonly projectId: string;
  readonly grantedOrganizationId: string;
  readonly roleKeys: readonly string[];
}

/** Lends a project with some of its roles to another organization. Refuses a second grant to the same one. */
export async function createProjectGrant(
  deps: { readonly database: Database; readonly newId: IdGenerator },
  call: Call,
  input: NewProjectGrant,
): Promise<ProjectGrant> {
  const { database } = deps;
  return changeRows({ database, call, asked: input.roleKeys.length }, async (tx) => {
    const { projectId, organizationId } = await holdAuthorizedProject(tx, input.projectId, "project.grant.write");
    const { grantedOrganizationId } = input;
    if (grantedOrganizationId === organizationId) {
      throw new Fault("invalid_argument", "project_grant.own_organization", { field: "grantedOrganizationId" });
    }
    if ((await holdOrganization(tx, grantedOrganizationId)) === undefined) {
      throw new Fault("not_found", "organization.not_found", { field: "grantedOrganizationId" });
    }
    const roleKeys = await checkGrantRoles(tx, projectId, input.roleKeys);
    if (!isGivenByRecipient(tx, input)) await refuseTooMany(tx, { organizationId, grantedOrganizationId });
    const grantId = deps.newId();
    const inserted = await insertProjectGrant(tx, { grantId, projectId, organizationId, grantedOrganizationId });
    if (inserted === undefined) {
      throw new Fault("already_exists", "project_grant.taken", { field: "grantedOrganizationId" });
    }
    await insertGrantRoles(tx, grantId, roleKeys);
    await recognizeProjectGrant(tx, inserted);
    const grant = { ...inserted, roleKeys };
    tx.record({
      type: "project_grant.created",
      ...projectGrantAggregate(grant),
      sequence: grant.details.sequence,
      payload: projectGrantPayload(grant),
    });
    return grant;
  });
}

// Lists and searches of an organization contain what others lend to it without asking.
const mostUnrecognized = 1000;

async function refuseTooMany(tx: Tx, between: Parameters<typeof countUnrecognizedGrants>[1]): Promise<void> {
  if ((await countUnrecognizedGrants(tx, between, mostUnrecognized)) < mostUnrecognized) return;
  throw new Fault("resource_exhausted", "project_grant.too_many", { values: { maximum: mostUnrecognized } });
}

/** Returns the role keys without duplicates, in alphabetical order. Refuses keys that are not roles of the project. */
export async function checkGrantRoles(tx: Tx, projectId: string, roleKeys: readonly string[]): Promise<string[]> {
  const wanted = [...new Set(roleKeys)].sort();
  const existing = await listExistingRoleKeys(tx, tx.instanceId, projectId, wanted);
  const unknown = wanted.find((roleKey) => !existing.has(roleKey));
  if (unknown !== undefined) {
    throw new Fault("failed_precondition", "project_grant.role_unknown", {
      field: `roleKeys[${roleKeys.indexOf(unknown)}]`,
      values: { role: unknown },
    });
  }
  return wanted;
}
