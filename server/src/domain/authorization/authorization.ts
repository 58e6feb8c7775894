import type { Scope } from "../../call/index.ts";
import type { Details } from "../../database/index.ts";

export type AuthorizationState = "active" | "inactive";

/** The holder of the roles: a user, or a group for all its users. */
export type Assignee = { readonly userId: string } | { readonly groupId: string };

/** A role assignment: one user or group, one project, one organization, some roles. */
export interface Authorization {
  readonly authorizationId: string;
  /** Empty when a group has the roles. */
  readonly userId: string;
  /** Empty when a user has the roles. */
  readonly groupId: string;
  readonly projectId: string;
  /** Organization in which the roles were assigned: the project's owner, or an organization that it was lent to. */
  readonly organizationId: string;
  /** The grant on which the assignment is based; undefined when the organization owns the project. */
  readonly projectGrantId: string | undefined;
  readonly state: AuthorizationState;
  /** In alphabetical order. */
  readonly roleKeys: readonly string[];
  readonly details: Details;
}

/** Selects role assignments: of a user, of a group, on a project, over a grant, in an organization. */
export type AuthorizationsOf =
  | Assignee
  | { readonly projectId: string }
  | { readonly projectGrantId: string }
  | { readonly organizationId: string };

/** What an operation on an existing role assignment needs besides its own permission. */
export const authorizationAbsence = { readPermission: "user.grant.read", absent: "authorization.not_found" } as const;

/**
 * What assigning roles needs. A sign-in application gives none: users prove to it who they are, and not what they may
 * do (A14).
 */
export const assigning = { permission: "user.grant.write", isBeyondLogin: true } as const;

/** The event aggregate of a role assignment. */
export function authorizationAggregate(authorization: Pick<Authorization, "authorizationId" | "organizationId">) {
  return {
    aggregateType: "authorization",
    aggregateId: authorization.authorizationId,
    ownerId: authorization.organizationId,
  } as const;
}

/** What events record of a role assignment. */
export function authorizationPayload({ userId, groupId, projectId, projectGrantId, roleKeys }: Authorization) {
  return { ...(groupId === "" ? { userId } : { groupId }), projectId, projectGrantId, roleKeys };
}

/**
 * Returns the scope of a role assignment. Over a grant it belongs to the organization that the project was lent to, not
 * to the project's owner.
 */
export function scopeOf(
  assignment: Pick<Authorization, "organizationId" | "projectId"> & { readonly projectGrantId: string | undefined },
): Scope {
  const { organizationId, projectId, projectGrantId } = assignment;
  return projectGrantId === undefined ? { organizationId, projectId } : { organizationId, projectGrantId };
}
