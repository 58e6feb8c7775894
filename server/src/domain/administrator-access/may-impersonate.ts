import type { Access } from "../../call/index.ts";
import type { Reader } from "../../database/index.ts";
import { refusesImpersonation } from "../settings/index.ts";
import { listScopedRoles, type ScopedRole } from "./access.store.ts";

/** An actor, by what they may do, and the user for whom they would act. */
interface Impersonated {
  readonly access: Access;
  readonly userId: string;
  readonly organizationId: string;
}

/**
 * Whether an actor may act for a user towards applications: with `impersonation` in the user's organization, and with
 * `admin.impersonation` wherever the user is an administrator. Thus an actor for the users of an organization cannot
 * act for the owner of the instance. No actor may where the organization refuses it. The access is the actor's: by the
 * token that was presented where there is one, else by the roles of now.
 */
export const mayImpersonate = async (reader: Reader, instanceId: string, input: Impersonated): Promise<boolean> =>
  (await listImpersonatedRoles(reader, instanceId, input)) !== undefined;

/** Returns the roles of a user for whom an actor may act (`mayImpersonate`); undefined where they may not. */
export async function listImpersonatedRoles(
  reader: Reader,
  instanceId: string,
  { access, organizationId, userId }: Impersonated,
): Promise<readonly ScopedRole[] | undefined> {
  if (!access.allows("impersonation", { organizationId })) return undefined;
  if (await refusesImpersonation(reader, { instanceId, organizationId, userId })) return undefined;
  const held = await listScopedRoles(reader, instanceId, userId);
  const isAllowed = held.every(({ scope }) =>
    scope.permissionScopes.some((each) => access.allows("admin.impersonation", each)),
  );
  return isAllowed ? held : undefined;
}
