import { iam, scopeValues } from "../../authority/index.ts";
import { OAuthError } from "../../base/oauth-error.ts";
import type { Reader } from "../../database/index.ts";
import { listMostRoleClaims } from "../../domain/authorization/index.ts";

export interface RoleRequest {
  readonly userId: string;
  readonly scope: ReadonlySet<string>;
  /** Project of the requesting client; absent for service accounts, which have none. */
  readonly ownProjectId: string | undefined;
  /**
   * Whether roles in the own project have the short name as well. It says nothing of the project, so another reader
   * would take the role for one of its own.
   */
  readonly hasShortName: boolean;
  /** The project asserts roles even when no role scope was requested. */
  readonly isAssertionOn: boolean;
  /**
   * Projects of the audience, for the roles of `…:org:projects:roles`; empty where only the own project counts
   * (introspection).
   */
  readonly audienceProjectIds: readonly string[];
}

// What is longer is no use in a token, and each reader of it would pay.
const mostRoles = 2_000;
// Those of organizations to which a project is lent.
const mostBytesOfOthers = 20_000;

/**
 * Returns role claims: for each project `urn:service:iam:org:project:{id}:roles`, and for the client's own project the
 * short name as well, where no other reader is. Roles that other organizations than its own and the user's assigned are
 * left out where there are too many, or they are too long. Each is role key → id of the organization that granted it →
 * its primary domain. Without roles there is no claim.
 */
export async function roleClaims(
  reader: Reader,
  instanceId: string,
  request: RoleRequest,
): Promise<Record<string, unknown>> {
  const { scope, ownProjectId } = request;
  const roleKeys = scopeValues(scope, "org:project:role:");
  const wantsAll = scope.has(`${iam}:org:projects:roles`);
  const wantsOwn = ownProjectId !== undefined && (wantsAll || roleKeys.length > 0 || request.isAssertionOn);
  const projectIds = [...(wantsOwn ? [ownProjectId] : []), ...(wantsAll ? request.audienceProjectIds : [])];
  if (projectIds.length === 0) return {};
  const organizationIds = scopeValues(scope, "org:roles:id:");
  const byProject = await listMostRoleClaims(reader, instanceId, {
    userId: request.userId,
    projectIds: [...new Set(projectIds)],
    ...(roleKeys.length > 0 && !wantsAll && { roleKeys }),
    ...(organizationIds.length > 0 && { organizationIds }),
    ownProjectId,
    limit: mostRoles,
    mostBytes: mostBytesOfOthers,
  });
  if (byProject === undefined) {
    const advice = roleKeys.length > 0 ? "" : "; name roles in the scope (org:project:role)";
    throw new OAuthError("invalid_scope", `the user has more than ${mostRoles} roles in the projects${advice}`);
  }
  const claims: Record<string, unknown> = {};
  for (const [projectId, roles] of byProject) {
    if (projectId === ownProjectId && request.hasShortName) claims[`${iam}:org:project:roles`] = roles;
    claims[`${iam}:org:project:${projectId}:roles`] = roles;
  }
  return claims;
}
