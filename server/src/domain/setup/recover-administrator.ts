import { Fault } from "../../base/fault.ts";
import { type Call, requireCaller } from "../../call/index.ts";
import { ensureOwner, refuseLossOfOwner } from "../membership/index.ts";
import { activateOrganization } from "../organization/index.ts";
import { terminateOtherSessions, terminateSessionsOfUser } from "../sign-out/index.ts";
import { changeUserState, findUserByLoginName, findUserScope, type PasswordDeps, setPassword } from "../user/index.ts";

export interface RecoverAdministrator {
  readonly loginName: string;
  /** A password that has to be changed with the next sign-in. */
  readonly password: string;
}

/**
 * Lets an administrator in again who cannot sign in, whatever the reason: his organization or he is deactivated or locked, his password
 * is lost, or nobody owns the instance any more. For whoever has the host; everything is in the event log. Each step may be done already.
 */
export async function recoverAdministrator(
  deps: PasswordDeps,
  call: Call,
  { loginName, password }: RecoverAdministrator,
): Promise<{ readonly userId: string }> {
  requireCaller(call);
  const { read } = deps.database;
  const found = await findUserByLoginName(read, call.instanceId, loginName);
  const scope = found && (await findUserScope(read, call.instanceId, found.userId));
  if (scope === undefined || scope.kind !== "human")
    throw new Fault("not_found", "user.not_found", { field: "loginName" });
  const { userId, organizationId, state } = scope;
  await activateOrganization(deps, call, organizationId);
  const move = { inactive: "reactivate", locked: "unlock", active: undefined, initial: undefined } as const;
  const needed = move[state];
  if (needed !== undefined)
    await changeUserState({ ...deps, refuseLossOfOwner, terminateSessionsOfUser }, call, { userId, move: needed });
  await setPassword({ ...deps, terminateOtherSessions }, call, {
    userId,
    password: { password, isChangeRequired: true },
    proof: { by: "permission" },
  });
  await deps.database.change(call, (tx) => ensureOwner(tx, userId));
  return { userId };
}
