import { type Call, type Reach, requireCaller } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { listAdministeredOrganizations } from "../administrator-access/index.ts";
import type { ClientDirectory } from "../application/index.ts";
import type { FindInstanceById } from "../instance/index.ts";
import { listRoleClaims } from "./list-role-claims.ts";

export interface OwnOrganizationDeps {
  readonly database: Database;
  readonly clients: ClientDirectory;
  readonly findInstanceById: FindInstanceById;
}

/**
 * Returns the organizations between which the caller may choose in the current application: those that assigned the
 * caller roles in its project. In our own applications, and with a token that was not issued to a client, these are the
 * caller's own organization and those they administer.
 */
export function createFindOwnOrganizations(deps: OwnOrganizationDeps): (call: Call) => Promise<Reach> {
  const { read } = deps.database;
  return async (call) => {
    const { userId, organizationId, access } = requireCaller(call);
    const projectId = await findForeignProject(deps, call);
    if (projectId !== undefined) {
      const claims = await listRoleClaims(read, call.instanceId, { userId, projectIds: [projectId] });
      const roles = Object.values(claims.get(projectId) ?? {});
      return within(roles.flatMap((organizations) => Object.keys(organizations)));
    }
    if (access.reach("org.read").everywhere) return { ...within([]), everywhere: true };
    return within([organizationId, ...(await listAdministeredOrganizations(read, call.instanceId, userId))]);
  };
}

async function findForeignProject(deps: OwnOrganizationDeps, call: Call): Promise<string | undefined> {
  const { clientId } = requireCaller(call);
  const client = clientId === undefined ? undefined : await deps.clients.find(call.instanceId, clientId);
  const instance = await deps.findInstanceById(call.instanceId);
  return client?.projectId === instance?.systemProjectId ? undefined : client?.projectId;
}

const within = (organizationIds: readonly string[]): Reach => ({
  everywhere: false,
  organizationIds: [...new Set(organizationIds)],
  projectIds: [],
  projectGrantIds: [],
});
