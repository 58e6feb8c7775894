import { Fault } from "../../base/fault.ts";
import { type Call, requireCaller } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import type { ClientDirectory } from "../application/index.ts";
import { listAuthorizationRows } from "./authorization-list.store.ts";
import { listRoleClaims } from "./list-role-claims.ts";

/**
 * Lists the roles that the organization of the call assigned to the caller in the project of the token's client. Throws
 * when there is no client, or no active assignment.
 */
export async function listOwnProjectRoles(
  deps: { readonly database: Database; readonly clients: ClientDirectory },
  call: Call,
): Promise<string[]> {
  const { userId, clientId, access } = requireCaller(call);
  const { read } = deps.database;
  const client = clientId === undefined ? undefined : await deps.clients.find(call.instanceId, clientId);
  const { organizationId = "" } = call;
  if (client !== undefined) {
    const { projectId } = client;
    const wanted = { userId, projectIds: [projectId], organizationIds: [organizationId] };
    const roles = Object.keys((await listRoleClaims(read, call.instanceId, wanted)).get(projectId) ?? {});
    if (roles.length > 0) return roles.sort();
    // An assignment may have no roles.
    const { total } = await listAuthorizationRows(read, call.instanceId, {
      reach: access.reach(""),
      view: { everywhere: false, organizationIds: [], userId },
      filters: [
        { kind: "users", userIds: [userId] },
        { kind: "project", projectId },
        { kind: "organization", organizationId },
        { kind: "state", state: "active" },
      ],
      orderBy: "created_at",
      isDescending: false,
      page: { offset: 0, limit: 1 },
    });
    if (total > 0) return [];
  }
  throw new Fault("not_found", "authorization.not_found");
}
