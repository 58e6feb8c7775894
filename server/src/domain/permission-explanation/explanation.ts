import type { AdministratorScope, ResolvedAdministratorScope } from "../administrator-access/index.ts";
import type { AdministeredResourceShown, Administrator } from "../administrator-search/index.ts";

/** Administrative roles on one resource. */
export interface RolesOnResource {
  readonly level: AdministratorScope["level"];
  /** Empty for the instance. */
  readonly resourceId: string;
  readonly roles: readonly string[];
}

/** A role assignment, of the user or of a group of theirs. */
interface RoleAssignment {
  readonly authorizationId: string;
  readonly organizationId: string;
  /** Empty where the organization owns the project. */
  readonly projectGrantId: string;
  /** Empty for an assignment to the user. */
  readonly groupId: string;
  readonly groupName: string;
}

/** Something that gives a permission, or a role of a project. */
export type PermissionPath = { readonly isEffective: boolean } & (
  | { readonly by: "administrator"; readonly held: RolesOnResource }
  | { readonly by: "authorization"; readonly assignment: RoleAssignment }
);

/** Why a user may do something, or not. */
export interface Explanation {
  readonly isAllowed: boolean;
  readonly paths: readonly PermissionPath[];
  /** Roles that would give it; empty when it is allowed. */
  readonly missing: readonly RolesOnResource[];
  readonly permissionsToGive: readonly string[];
  /** Users who may give it. */
  readonly administrators: readonly Administrator["user"][];
  /** Undefined where the caller may not read the user. */
  readonly isInactive: boolean | undefined;
}

/** A resource, with those that contain it: positions on each of them may reach it. */
export interface Chain {
  readonly resource: ResolvedAdministratorScope;
  /** From the widest to the narrowest. The id of the instance is empty. */
  readonly levels: readonly Omit<RolesOnResource, "roles">[];
}

/** Returns the id of the resource of an administrator; empty for the instance. */
export function resourceIdOf(shown: AdministeredResourceShown): string {
  switch (shown.level) {
    case "instance":
      return "";
    case "organization":
      return shown.organizationId;
    case "project":
      return shown.projectId;
    case "project_grant":
      return shown.grantId;
    default:
      return shown satisfies never;
  }
}
