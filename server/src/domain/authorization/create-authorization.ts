import { Fault } from "../../base/fault.ts";
import type { IdGenerator } from "../../base/id.ts";
import { authorize, type Call } from "../../call/index.ts";
import type { Database, Tx } from "../../database/index.ts";
import { holdGroup } from "../group/index.ts";
import { findProjectGrant, holdProject, type Project, type ProjectGrant, projectAbsence } from "../project/index.ts";
import { insertAuthorization } from "./authorization.store.ts";
import {
  type Assignee,
  type Authorization,
  authorizationAggregate,
  authorizationPayload,
  scopeOf,
} from "./authorization.ts";
import { insertAuthorizationRoles } from "./authorization-role.store.ts";
import { checkAssignableRoles } from "./check-assignable-roles.ts";
import { holdUser } from "./held-user.store.ts";

export type NewAuthorization = Assignee & {
  readonly projectId: string;
  /** The organization in which the roles are assigned; the project's owner when absent. */
  readonly organizationId?: string;
  /** The grant on which the assignment must be based, if the caller requires a particular one. */
  readonly projectGrantId?: string;
  readonly roleKeys: readonly string[];
};

/**
 * Assigns roles of a project to a user, or to a group of any organization. Rejects a second assignment of the project
 * to the same assignee in the same organization.
 */
export async function createAuthorization(
  deps: { readonly database: Database; readonly newId: IdGenerator },
  call: Call,
  input: NewAuthorization,
): Promise<Authorization> {
  return deps.database.change(call, async (tx) => {
    const { project, grant, organizationId } = await authorizePlace(tx, input);
    const roleKeys = await checkAssignableRoles(tx, { project, grant }, input.roleKeys);
    const inserted = await insertAuthorization(tx, {
      authorizationId: deps.newId(),
      ...(await holdAssignee(tx, input)),
      projectId: project.projectId,
      organizationId,
      projectGrantId: grant?.grantId,
    });
    if (inserted === undefined) {
      const field = "groupId" in input ? "groupId" : "userId";
      throw new Fault("already_exists", "authorization.taken", { field });
    }
    await insertAuthorizationRoles(tx, inserted.authorizationId, roleKeys);
    const authorization = { ...inserted, roleKeys };
    tx.record({
      type: "authorization.created",
      ...authorizationAggregate(authorization),
      sequence: authorization.details.sequence,
      payload: authorizationPayload(authorization),
    });
    return authorization;
  });
}

// Locked, so that a user or group that is being deleted gets no roles.
async function holdAssignee(tx: Tx, assignee: Assignee): Promise<Pick<Authorization, "userId" | "groupId">> {
  if ("groupId" in assignee) {
    const group = await holdGroup(tx, assignee.groupId, "share");
    if (group === undefined) {
      throw new Fault("failed_precondition", "authorization.group_not_found", { field: "groupId" });
    }
    return { userId: "", groupId: group.groupId };
  }
  if (!(await holdUser(tx, assignee.userId))) {
    throw new Fault("failed_precondition", "authorization.user_not_found", { field: "userId" });
  }
  return { userId: assignee.userId, groupId: "" };
}

interface AssignmentPlace {
  readonly project: Project;
  /** Undefined when the organization owns the project. */
  readonly grant: ProjectGrant | undefined;
  readonly organizationId: string;
}

/** Returns the scope of the new assignment, for a caller who may assign roles there. */
async function authorizePlace(tx: Tx, input: NewAuthorization): Promise<AssignmentPlace> {
  const project = await holdProject(tx, input.projectId, "share");
  const organizationId = input.organizationId ?? project?.organizationId ?? "";
  const { projectId } = input;
  if (project === undefined || organizationId === project.organizationId) {
    authorize(tx.call, project, { permission: "user.grant.write", ...projectAbsence });
    if (input.projectGrantId !== undefined) throw notGranted("projectGrantId");
    return { project, grant: undefined, organizationId };
  }
  const grant = await findProjectGrant(tx, tx.instanceId, { projectId, grantedOrganizationId: organizationId });
  if (grant === undefined) {
    // A caller who may read the project may know which organizations it was lent to.
    authorize(tx.call, project, { permission: projectAbsence.readPermission, ...projectAbsence });
    throw notGranted("organizationId");
  }
  const place = scopeOf({ organizationId, projectId, projectGrantId: grant.grantId });
  authorize(tx.call, place, { permission: "user.grant.write", ...projectAbsence });
  if (input.projectGrantId !== undefined && input.projectGrantId !== grant.grantId) throw notGranted("projectGrantId");
  return { project, grant, organizationId };
}

const notGranted = (field: string): Fault =>
  new Fault("failed_precondition", "authorization.project_not_granted", { field });
