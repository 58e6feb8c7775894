import type { Reader } from "../../database/index.ts";
import type { Client } from "../../domain/application/index.ts";
import { checkProjectAccess } from "../../domain/authorization/index.ts";
import { findUserScope } from "../../domain/user/index.ts";

/**
 * Whether a user may still receive tokens of a client: the required role or project grant may have ended since the
 * sign-in. True for service accounts, which have no client.
 */
export async function mayUseClient(
  reader: Reader,
  instanceId: string,
  client: Client | undefined,
  userId: string | undefined,
): Promise<boolean> {
  if (client === undefined || userId === undefined) return true;
  if (!client.isAuthorizationRequired && !client.isProjectAccessRequired) return true;
  const user = await findUserScope(reader, instanceId, userId);
  if (user === undefined) return false;
  const input = { userId, userOrganizationId: user.organizationId, project: client };
  return (await checkProjectAccess(reader, instanceId, input)) === "allowed";
}
