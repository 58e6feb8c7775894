import type { Call } from "../call/index.ts";
import type { Client } from "../domain/application/index.ts";
import { checkProjectAccess } from "../domain/authorization/index.ts";
import { resolveOrganization, type ScopeDeps } from "./resolve-organization.ts";

/** Whether a user may use a client, and if not, why. */
export type UseOfClient = "allowed" | "other_organization" | "no_project_access";

/**
 * Checks whether a user may receive tokens of a client: the user belongs to the organization that a scope names
 * (CVE-2026-33132), and may use the client's project (CVE-2024-38371). Every grant uses this check.
 */
export async function checkUserOfClient(
  deps: ScopeDeps,
  call: Call,
  input: {
    readonly client: Client;
    readonly user: { readonly userId: string; readonly organizationId: string };
    readonly scope: string;
  },
): Promise<UseOfClient> {
  const { client, user, scope } = input;
  const required = await resolveOrganization(deps, call, scope);
  if (required !== undefined && required !== user.organizationId) return "other_organization";
  const access = await checkProjectAccess(deps.database.read, call.instanceId, {
    userId: user.userId,
    userOrganizationId: user.organizationId,
    project: client,
  });
  return access === "allowed" ? "allowed" : "no_project_access";
}
