import type { Call } from "../../call/index.ts";
import { requireCaller } from "../../call/index.ts";
import type { Reader } from "../../database/index.ts";
import {
  type AdministeredResource,
  findAdministratorScope,
  memberPermission,
  requireInScope,
} from "../administrator-access/index.ts";
import type { Chain } from "./explanation.ts";

/**
 * Finds a resource with those that contain it, for a caller who may list its administrators. To a caller who may not
 * read it, it does not exist.
 */
export async function findChain(reader: Reader, call: Call, wanted: AdministeredResource): Promise<Chain> {
  const { access } = requireCaller(call);
  const resource = await findAdministratorScope(reader, call.instanceId, wanted);
  requireInScope(access, wanted.level, resource, `${memberPermission[wanted.level]}.read`);
  const organizations = new Set(
    resource.permissionScopes.flatMap(({ organizationId = "" }) => (organizationId === "" ? [] : [organizationId])),
  );
  const projects = new Set(resource.permissionScopes.flatMap(({ projectId }) => projectId ?? []));
  const levels: Chain["levels"] = [
    { level: "instance", resourceId: "" },
    ...[...organizations].map((resourceId) => ({ level: "organization", resourceId }) as const),
    ...[...projects].map((resourceId) => ({ level: "project", resourceId }) as const),
    ...(wanted.level === "project_grant" ? [{ level: "project_grant", resourceId: resource.resourceId } as const] : []),
  ];
  return { resource, levels };
}
