import type { AdministratorScope, Membership } from "../administrator-access/index.ts";

/** The columns of a position. */
export interface MembershipRow {
  readonly sequence: number;
  readonly createdAt: number;
  readonly changedAt: number;
}

/** The roles of a user in a scope: those that have effect, and those that wait for acceptance. */
export interface MemberRoles {
  readonly userId: string;
  readonly roles: readonly string[];
  readonly pendingRoles: readonly string[];
}

/** Returns a position as its row and its roles say. */
export function toMembership(scope: AdministratorScope, row: MembershipRow & MemberRoles): Membership {
  const { sequence, createdAt, changedAt, userId, roles, pendingRoles } = row;
  const { level, resourceId, ownerId } = scope;
  return { level, resourceId, userId, roles, pendingRoles, details: { sequence, createdAt, changedAt, ownerId } };
}
