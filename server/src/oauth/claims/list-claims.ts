import { iam } from "../../authority/index.ts";
import { OAuthError } from "../../base/oauth-error.ts";
import type { Reader } from "../../database/index.ts";
import type { Client } from "../../domain/application/index.ts";
import { listGroupNamesOfUser } from "../../domain/group/index.ts";
import { roleClaims } from "./role-claims.ts";

/** Which lists of names an application gets of a user, and under which claims. */
export interface ListRequest {
  /** Absent for none. */
  readonly roleListClaim?: string;
  readonly groupListClaim?: string;
  /** Project whose roles are listed, and the organization whose groups are. */
  readonly projectId: string;
  readonly organizationId: string;
}

/** Returns the lists that an application is configured to get; undefined for none. */
export function listsOf(client: Client | undefined): ListRequest | undefined {
  if (client === undefined || !(client.isRoleListOn || client.isGroupListOn)) return undefined;
  return {
    ...(client.isRoleListOn && { roleListClaim: client.roleListClaim }),
    ...(client.isGroupListOn && { groupListClaim: client.groupListClaim }),
    projectId: client.projectId,
    organizationId: client.organizationId,
  };
}

/**
 * Returns the lists for a token, or for what a token opens. The names say nothing of project and organization, so
 * another recipient would take them for its own: lists are only in what is for the application, its project and the
 * other applications of the project alone.
 */
export function listsForAudience(
  client: Client | undefined,
  audience: readonly string[],
  systemProjectId: string,
): ListRequest | undefined {
  const lists = listsOf(client);
  if (client === undefined || lists === undefined) return undefined;
  // Our own APIs read neither claim.
  const own = new Set([client.clientId, client.projectId, ...client.audience, systemProjectId]);
  return audience.every((name) => own.has(name)) ? lists : undefined;
}

const mostGroups = 2_000;

/**
 * Returns the names of the roles that the role claim of the application's project would show, and the names of the
 * user's groups in the organization of the application (RFC 9068 §2.2.3.1). A list without names is empty.
 */
export async function listClaims(
  reader: Reader,
  instanceId: string,
  request: ListRequest & { readonly userId: string; readonly scope: ReadonlySet<string> },
): Promise<Record<string, unknown>> {
  const { roleListClaim, groupListClaim, userId, scope, projectId, organizationId } = request;
  const [roles, groups] = await Promise.all([
    roleListClaim !== undefined &&
      roleClaims(reader, instanceId, {
        userId,
        scope,
        ownProjectId: projectId,
        hasShortName: true,
        isAssertionOn: true,
        audienceProjectIds: [],
      }),
    groupListClaim !== undefined &&
      listGroupNamesOfUser(reader, instanceId, { userId, organizationId, limit: mostGroups + 1 }),
  ]);
  if (groups !== false && groups.length > mostGroups) {
    throw new OAuthError("invalid_request", `the user is in more than ${mostGroups} groups`);
  }
  return {
    ...(roles &&
      roleListClaim !== undefined && { [roleListClaim]: Object.keys(roles[`${iam}:org:project:roles`] ?? {}) }),
    ...(groups && groupListClaim !== undefined && { [groupListClaim]: groups }),
  };
}
