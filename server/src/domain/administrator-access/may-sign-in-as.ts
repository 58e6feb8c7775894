import { type Access, decideBy } from "../../call/index.ts";
import type { Reader } from "../../database/index.ts";
import { mayAppoint } from "./may-appoint.ts";
import { listImpersonatedRoles } from "./may-impersonate.ts";

/**
 * Whether an administrator may sign in to an application as a user: they may act for the user, and could give the user
 * every role that the user has. So the user never has more permissions than the administrator. Token exchange asks only
 * the former, as the interface has it.
 */
export async function maySignInAs(
  reader: Reader,
  instanceId: string,
  input: { readonly access: Access; readonly userId: string; readonly organizationId: string },
): Promise<boolean> {
  const held = await listImpersonatedRoles(reader, instanceId, input);
  return decideBy(
    input.access,
    `sign in as ${input.userId}`,
    (access) => held?.every(({ role, scope }) => mayAppoint(access, role, scope)) === true,
  );
}
