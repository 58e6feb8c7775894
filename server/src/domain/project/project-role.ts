import type { Instant } from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import { isName } from "../../base/name.ts";

/** A role that a project defines. Role assignments name it by its key. */
export interface ProjectRole {
  readonly projectId: string;
  readonly roleKey: string;
  readonly displayName: string;
  /** For grouping in lists; no meaning beyond that. */
  readonly roleGroup: string;
  readonly createdAt: Instant;
  readonly changedAt: Instant;
}

/** Refuses what cannot be shown. The group may be empty. */
export function checkProjectRole(role: Pick<ProjectRole, "displayName" | "roleGroup">): void {
  if (!isName(role.displayName))
    throw new Fault("invalid_argument", "project.role_name_invalid", { field: "displayName" });
  if (role.roleGroup !== "" && !isName(role.roleGroup)) {
    throw new Fault("invalid_argument", "project.role_group_invalid", { field: "group" });
  }
}
