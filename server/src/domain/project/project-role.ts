import type { Instant } from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import { isName } from "../../base/names/name.ts";
import type { Details } from "../../database/index.ts";

/** A role that a project defines. Role assignments name it by its key. */
export interface ProjectRole {
  readonly projectId: string;
  readonly roleKey: string;
  readonly displayName: string;
  /** For grouping in lists; no meaning beyond that. */
  readonly roleGroup: string;
  readonly createdAt: Instant;
  readonly changedAt: Instant;
  /** Sequence of the project, which its roles are part of. */
  readonly sequence: number;
}

/** Returns the details of a role: its own instants, and otherwise those of its project. */
export function roleDetails(role: ProjectRole, { organizationId }: { readonly organizationId: string }): Details {
  const { sequence, createdAt, changedAt } = role;
  return { sequence, createdAt, changedAt, ownerId: organizationId };
}

/** Refuses names that cannot be shown; the group may be empty. `prefix` is the position of the role in the request. */
export function checkProjectRole(role: Pick<ProjectRole, "displayName" | "roleGroup">, prefix = ""): void {
  if (!isName(role.displayName)) {
    throw new Fault("invalid_argument", "project.role_name_invalid", { field: `${prefix}displayName` });
  }
  if (role.roleGroup !== "" && !isName(role.roleGroup)) {
    throw new Fault("invalid_argument", "project.role_group_invalid", { field: `${prefix}group` });
  }
}
