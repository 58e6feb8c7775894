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

/** Where an administrator's role is held: a resource and its owner. No OAuth scope. */
export interface AdministratorScope {
  readonly level: MembershipLevel;
  /** Organization, project or project grant id; the instance id at the instance level. */
  readonly resourceId: string;
  /** Organization that owns the resource; the instance id at the instance level. */
  readonly ownerId: string;
}

/** An administrator's scope of an existing resource, with what permissions there are checked against. */
export interface ResolvedAdministratorScope extends AdministratorScope {
  /**
   * The scopes that contain the resource: for a project grant also the organization that the project was granted to.
   */
  readonly permissionScopes: readonly Scope[];
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
export function membershipAggregate(scope: AdministratorScope, userId: string) {
  return {
    aggregateType: "membership",
    aggregateId: `${scope.level}/${scope.resourceId}/${userId}`,
    ownerId: scope.ownerId,
  } as const;
}
