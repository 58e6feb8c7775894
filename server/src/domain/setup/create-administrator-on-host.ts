import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import { findInstance } from "../instance/index.ts";
import { preparePassword } from "../password/index.ts";
import type { FirstAdministrator, SetupDeps } from "./complete-setup.ts";
import { createOwner } from "./first-users.ts";

/**
 * Creates a user who owns the instance, in its default organization: `doorward admin create`, for an operator on the
 * host.
 */
export async function createAdministratorOnHost(
  deps: SetupDeps,
  call: Call,
  input: FirstAdministrator & { readonly isPasswordChangeRequired: boolean },
): Promise<{ readonly userId: string }> {
  const instance = await findInstance(deps.database.read, call.instanceId);
  if (instance === undefined) throw new Fault("not_found", "instance.not_found");
  const person = {
    organizationId: instance.defaultOrganizationId,
    username: input.username,
    profile: input.profile,
    email: { address: input.email, isVerified: true },
  };
  const password = await preparePassword(deps, call, person, {
    password: input.password,
    isChangeRequired: input.isPasswordChangeRequired,
  });
  return deps.database.change(call, (tx) => createOwner(tx, deps, { ...person, password }));
}
