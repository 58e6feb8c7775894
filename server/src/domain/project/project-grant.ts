import type { Call, Scope } from "../../call/index.ts";
import { requireCaller } from "../../call/index.ts";
import type { Details } from "../../database/index.ts";

export type ProjectGrantState = "active" | "inactive";

/** A project lent to another organization, with some of its roles. */
export interface ProjectGrant {
  readonly grantId: string;
  readonly projectId: string;
  /** Owner of the project, which lends it. */
  readonly organizationId: string;
  readonly grantedOrganizationId: string;
  readonly state: ProjectGrantState;
  /** Whether the organization that it is lent to agreed. Until then it is only the project owner's wish. */
  readonly isRecognized: boolean;
  readonly roleKeys: readonly string[];
  readonly details: Details;
}

/** Names a grant of a project: by the organization that it was lent to, as v2 does, or by its id, as v1 does. */
export type ProjectGrantReference = { readonly projectId: string } & (
  | { readonly grantedOrganizationId: string }
  | { readonly grantId: string }
);

/** Returns the event aggregate of a project grant. */
export function projectGrantAggregate(grant: Pick<ProjectGrant, "grantId" | "organizationId">) {
  return { aggregateType: "project_grant", aggregateId: grant.grantId, ownerId: grant.organizationId } as const;
}

/** Returns the payload for events of a project grant. */
export function projectGrantPayload({ projectId, grantedOrganizationId, roleKeys }: ProjectGrant) {
  return { projectId, grantedOrganizationId, roleKeys };
}

/** Returns the scopes of a grant: the owner of the project, and the organization that it was lent to. */
export function grantScopes(grant: ProjectGrant): { readonly owner: Scope; readonly granted: Scope } {
  const { organizationId, projectId, grantId: projectGrantId, grantedOrganizationId } = grant;
  return {
    owner: { organizationId, projectId, projectGrantId },
    granted: { organizationId: grantedOrganizationId, projectGrantId },
  };
}

/** Whether the caller holds the permission on either side of the grant. */
export function holdsOnEitherSide(call: Call, permission: string, grant: ProjectGrant): boolean {
  const { access } = requireCaller(call);
  const { owner, granted } = grantScopes(grant);
  return access.allows(permission, owner) || access.allows(permission, granted);
}
