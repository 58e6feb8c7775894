import { Fault } from "../../base/fault.ts";
import { type Call, requireOrganization } from "../../call/index.ts";
import type { Reader } from "../../database/index.ts";
import { findAuthorization } from "./authorization.store.ts";
import { type Authorization, authorizationAbsence } from "./authorization.ts";

/**
 * Returns the role assignment of the user, which must be in the organization of the first-generation call: to such
 * calls, the assignments of other organizations do not exist.
 */
export async function requireAuthorizationOfOrganization(
  reader: Reader,
  call: Call,
  { userId, authorizationId }: { readonly userId: string; readonly authorizationId: string },
): Promise<Authorization> {
  const organizationId = requireOrganization(call);
  const authorization = await findAuthorization(reader, call.instanceId, authorizationId);
  if (authorization?.organizationId !== organizationId || authorization.userId !== userId) {
    throw new Fault("not_found", authorizationAbsence.absent);
  }
  return authorization;
}
