import type { Scope } from "../../call/index.ts";
import type { Details } from "../../database/index.ts";

/** A named set of users of an organization. */
export interface Group extends Scope {
  readonly groupId: string;
  readonly organizationId: string;
  readonly name: string;
  /** Empty for none. */
  readonly description: string;
  readonly details: Details;
}

/** What an operation on an existing group needs besides its own permission. */
export const groupAbsence = { readPermission: "group.read", absent: "group.not_found" } as const;

/** The event aggregate of a group. */
export function groupAggregate(group: Pick<Group, "groupId" | "organizationId">) {
  return { aggregateType: "group", aggregateId: group.groupId, ownerId: group.organizationId } as const;
}
