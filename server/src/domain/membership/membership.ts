import type { Scope } from "../../call/index.ts";
import type { Details } from "../../database/index.ts";
import type { MembershipLevel } from "./roles.ts";

/** A resource that can have administrators, as a caller names it. */
export type AdministeredResource =
  | { readonly level: "instance" }
  | { readonly level: "organization"; readonly organizationId: string }
  | { readonly level: "project"; readonly projectId: string }
  | { readonly level: "project_grant"; readonly projectId: string; readonly grantedOrganizationId: string }
  // The first generation of the API names grants by their own id.
  | { readonly level: "project_grant"; readonly projectId: string; readonly grantId: string };

/** An existing resource with its owner and scopes. */
export interface Place {
  readonly level: MembershipLevel;
  /** Organization, project or project grant id; the instance id at the instance level. */
  readonly resourceId: string;
  /** Organization that owns the resource; the instance id at the instance level. */
  readonly ownerId: string;
  /**
   * The scopes that contain the resource: for a project grant also the organization that the project was granted to.
   */
  readonly scopes: readonly Scope[];
}

/** Whether a position has effect; `pending` while none of its roles was accepted. */
export type MembershipState = "active" | "pending";

/** A user's administrative position on a resource. */
export interface Membership {
  readonly level: MembershipLevel;
  readonly resourceId: string;
  readonly userId: string;
  /** The roles that have effect. */
  readonly roles: readonly string[];
  /** The roles that were offered and not accepted yet; they have no effect. */
  readonly pendingRoles: readonly string[];
  readonly details: Details;
}

/** A position without a role that has effect is pending. */
export const stateOf = ({ roles }: Pick<Membership, "roles">): MembershipState =>
  roles.length === 0 ? "pending" : "active";

/** Prefix of the permissions that protect the members of a level. */
export const memberPermission = {
  instance: "iam.member",
  organization: "org.member",
  project: "project.member",
  project_grant: "project.grant.member",
} as const satisfies Record<MembershipLevel, string>;

/** The event aggregate of a membership. */
export function membershipAggregate(place: Pick<Place, "level" | "resourceId" | "ownerId">, userId: string) {
  return {
    aggregateType: "membership",
    aggregateId: `${place.level}/${place.resourceId}/${userId}`,
    ownerId: place.ownerId,
  } as const;
}
