import type { Membership, Place } from "./membership.ts";

/** The columns of a position. */
export interface MembershipRow {
  readonly sequence: number;
  readonly createdAt: number;
  readonly changedAt: number;
}

/** Where a position is. */
export type Where = Pick<Place, "level" | "resourceId" | "ownerId">;

/** The roles of a user at a place: those that have effect, and those that wait for acceptance. */
export interface MemberRoles {
  readonly userId: string;
  readonly roles: readonly string[];
  readonly pendingRoles: readonly string[];
}

/** Returns a position as its row and its roles say. */
export function toMembership(place: Where, row: MembershipRow & MemberRoles): Membership {
  const { sequence, createdAt, changedAt, userId, roles, pendingRoles } = row;
  const { level, resourceId, ownerId } = place;
  return { level, resourceId, userId, roles, pendingRoles, details: { sequence, createdAt, changedAt, ownerId } };
}
