import { readingOrganizationOf } from "../../../authority/index.ts";
import type { Call } from "../../../call/index.ts";
import type { AuthRequest } from "../../../domain/auth-request/index.ts";
import { findProjectGrant } from "../../../domain/project/index.ts";
import type { PageDeps } from "../../deps.ts";

/**
 * Returns whether an organization has to do with the application of a request: it owns the application's project, or
 * the project is granted to it and it recognized the grant: anyone can grant a project to any organization. An
 * application that users have to let in serves none: strangers register theirs in a project of the default
 * organization.
 */
export async function servesOrganization(
  { database, clients }: Pick<PageDeps, "database" | "clients">,
  { instanceId }: Call,
  { clientId }: AuthRequest,
  organizationId: string,
): Promise<boolean> {
  const client = await clients.find(instanceId, clientId);
  const ownOrganizationId = client === undefined ? "" : readingOrganizationOf(client);
  if (client === undefined || ownOrganizationId === "") return false;
  if (ownOrganizationId === organizationId) return true;
  const reference = { projectId: client.projectId, grantedOrganizationId: organizationId };
  const grant = await findProjectGrant(database.read, instanceId, reference);
  return grant?.state === "active" && grant.isRecognized;
}
