import { Fault } from "../../base/fault.ts";
import type { IdGenerator } from "../../base/id.ts";
import { authorize, type Call, holdForCaller } from "../../call/index.ts";
import { changeRows, type Database, holdOrWaitBefore, type Tx } from "../../database/index.ts";
import { findGroup, holdGroup } from "../group/index.ts";
import {
  findProject,
  findProjectGrant,
  holdProject,
  type Project,
  type ProjectGrant,
  projectAbsence,
  recognizeProjectGrant,
} from "../project/index.ts";
import { findUserScope } from "../user/index.ts";
import { insertAuthorization } from "./authorization.store.ts";
import {
  type Assignee,
  type Authorization,
  assigning,
  authorizationAggregate,
  authorizationPayload,
  scopeOf,
} from "./authorization.ts";
import { insertAuthorizationRoles } from "./authorization-role.store.ts";
import { checkAssignableRoles } from "./check-assignable-roles.ts";
import { holdUser } from "./held-user.store.ts";
import { requireAssignable } from "./require-assignable.ts";

export type NewAuthorization = Assignee & {
  readonly projectId: string;
  /** The organization in which the roles are assigned; the project's owner when absent. */
  readonly organizationId?: string;
  /** The grant on which the assignment must be based, if the caller requires a particular one. */
  readonly projectGrantId?: string;
  readonly roleKeys: readonly string[];
};

/**
 * Assigns roles of a project to a user, or to a group that the caller may know. Over a grant, only administrators of
 * the granted organization and of the instance assign roles to users whom they may not know, and being a colleague is
 * enough only for those whom their own organization put there. Rejects a second assignment of the project to the same
 * assignee in the same organization.
 */
export async function createAuthorization(
  deps: { readonly database: Database; readonly newId: IdGenerator },
  call: Call,
  input: NewAuthorization,
): Promise<Authorization> {
  const { database } = deps;
  return changeRows({ database, call, asked: input.roleKeys.length }, async (tx) => {
    const { project, grant, organizationId } = await authorizeAssignment(tx, input);
    const roleKeys = await checkAssignableRoles(tx, { project, grant }, input.roleKeys);
    const inserted = await insertAuthorization(tx, {
      authorizationId: deps.newId(),
      ...(await holdAssignee(tx, input, grant)),
      projectId: project.projectId,
      organizationId,
      projectGrantId: grant?.grantId,
    });
    if (inserted === undefined) {
      const field = "groupId" in input ? "groupId" : "userId";
      throw new Fault("already_exists", "authorization.taken", { field });
    }
    await insertAuthorizationRoles(tx, inserted.authorizationId, roleKeys);
    if (grant !== undefined) await recognizeProjectGrant(tx, grant);
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

// Locked, so that a user or group that is being deleted gets no roles. A partner decides how long one of their own is
// busy, and must not keep the project from its owner meanwhile.
async function holdAssignee(
  tx: Tx,
  assignee: Assignee,
  grant: ProjectGrant | undefined,
): Promise<Pick<Authorization, "userId" | "groupId"> & { readonly userOrganizationId: string }> {
  const isGroup = "groupId" in assignee;
  const held = await holdOrWaitBefore<{ readonly organizationId: string }>(tx, {
    isThere: async () =>
      (isGroup
        ? await findGroup(tx, tx.instanceId, assignee.groupId)
        : await findUserScope(tx, tx.instanceId, assignee.userId)) !== undefined,
    hold: (own, waiting) =>
      isGroup ? holdGroup(own, assignee.groupId, "share", waiting) : holdUser(own, assignee.userId, waiting),
  });
  await requireAssignable(tx, assignee, held?.organizationId, grant);
  return isGroup
    ? { userId: "", groupId: assignee.groupId, userOrganizationId: "" }
    : { userId: assignee.userId, groupId: "", userOrganizationId: held?.organizationId ?? "" };
}

interface AssignmentScope {
  readonly project: Project;
  /** Undefined when the organization owns the project. */
  readonly grant: ProjectGrant | undefined;
  readonly organizationId: string;
}

/** Returns the scope of the new assignment, for a caller who may assign roles there. */
function authorizeAssignment(tx: Tx, input: NewAuthorization): Promise<AssignmentScope> {
  const holdable = {
    find: () => findProject(tx, tx.instanceId, input.projectId),
    hold: () => holdProject(tx, input.projectId, "share"),
  };
  return holdForCaller(tx.call, assigning.permission, holdable, (project) => judgeAssignment(tx, input, project));
}

async function judgeAssignment(
  tx: Tx,
  input: NewAuthorization,
  project: Project | undefined,
): Promise<AssignmentScope> {
  const organizationId = input.organizationId ?? project?.organizationId ?? "";
  const { projectId } = input;
  if (project === undefined || organizationId === project.organizationId) {
    authorize(tx.call, project, { ...assigning, ...projectAbsence });
    if (input.projectGrantId !== undefined) throw notGranted("projectGrantId");
    return { project, grant: undefined, organizationId };
  }
  const grant = await findProjectGrant(tx, tx.instanceId, { projectId, grantedOrganizationId: organizationId });
  if (grant === undefined) {
    // A caller who may read the project may know which organizations it was lent to.
    authorize(tx.call, project, { permission: projectAbsence.readPermission, ...projectAbsence });
    throw notGranted("organizationId");
  }
  const scope = scopeOf({ organizationId, projectId, projectGrantId: grant.grantId });
  authorize(tx.call, scope, { ...assigning, ...projectAbsence });
  if (input.projectGrantId !== undefined && input.projectGrantId !== grant.grantId) throw notGranted("projectGrantId");
  return { project, grant, organizationId };
}

const notGranted = (field: string): Fault =>
  new Fault("failed_precondition", "authorization.project_not_granted", { field });
