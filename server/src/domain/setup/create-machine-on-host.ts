import { days } from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import type { IssuedToken } from "../credential/index.ts";
import { findInstance } from "../instance/index.ts";
import { createMachineAdministrator, type FirstUserDeps } from "./first-users.ts";

/**
 * Creates a service account that owns the instance, in its default organization, with a personal access token that
 * expires: `doorward admin token`, for an operator on the host.
 */
export async function createMachineOnHost(
  deps: FirstUserDeps & { readonly database: Database },
  call: Call,
  { username, lifetimeDays }: { readonly username: string; readonly lifetimeDays: number },
): Promise<{ readonly userId: string; readonly token: IssuedToken }> {
  const instance = await findInstance(deps.database.read, call.instanceId);
  if (instance === undefined) throw new Fault("not_found", "instance.not_found");
  const { defaultOrganizationId: organizationId } = instance;
  const { userId, token } = await deps.database.change(call, (tx) =>
    createMachineAdministrator(tx, deps, {
      organizationId,
      username,
      name: username,
      role: "IAM_OWNER",
      token: { expiresAt: tx.now + days(lifetimeDays) },
    }),
  );
  if (token === undefined) throw new Error("the account that was just made has no token");
  return { userId, token };
}
