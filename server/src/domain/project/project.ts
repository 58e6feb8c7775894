import type { Scope } from "../../call/index.ts";
import type { Details } from "../../database/index.ts";

export type ProjectState = "active" | "inactive";

/**
 * Which branding the login shows: as the instance decides, always that of the project's owner, or that of the user's
 * organization.
 */
export type PrivateLabeling = "unspecified" | "project_owner" | "user_organization";

/** What the owner decides about signing in to applications of the project. */
export interface ProjectSettings {
  /** Act as if all roles of the project had been asked for ("assert roles on authentication"). */
  readonly isRoleAssertionOn: boolean;
  /** Signing in needs a role in the project. */
  readonly isAuthorizationRequired: boolean;
  /** Signing in requires that the user's organization owns the project or was granted it. */
  readonly isProjectAccessRequired: boolean;
  readonly privateLabeling: PrivateLabeling;
}

export const defaultProjectSettings: ProjectSettings = {
  isRoleAssertionOn: false,
  isAuthorizationRequired: false,
  isProjectAccessRequired: false,
  privateLabeling: "unspecified",
};

/** Holds roles and applications; owned by an organization, which can lend it to others. */
export interface Project extends Scope, ProjectSettings {
  readonly projectId: string;
  readonly organizationId: string;
  readonly name: string;
  readonly state: ProjectState;
  readonly details: Details;
}

/** What an operation on an existing project needs, besides its own permission. */
export const projectAbsence = { readPermission: "project.read", absent: "project.not_found" } as const;

/** Returns the event aggregate of a project. Roles are part of it and share its sequence. */
export function projectAggregate(project: { readonly projectId: string; readonly organizationId: string }) {
  return { aggregateType: "project", aggregateId: project.projectId, ownerId: project.organizationId } as const;
}

/** Returns the payload for events of a project. */
export function projectPayload(project: Project) {
  const { name, isRoleAssertionOn, isAuthorizationRequired, isProjectAccessRequired, privateLabeling } = project;
  return { name, isRoleAssertionOn, isAuthorizationRequired, isProjectAccessRequired, privateLabeling };
}
