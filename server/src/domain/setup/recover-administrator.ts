import { Fault } from "../../base/fault.ts";
import { type Call, requireCaller } from "../../call/index.ts";
import { isCredentialSuspended, mayPrepareFor, mayVouchFor } from "../administrator-access/index.ts";
import { findUserByLoginName } from "../login-name/index.ts";
import { ensureOwner, refuseLossOfOwner } from "../membership/index.ts";
import { activateOrganization, type RefuseLockout } from "../organization/index.ts";
import { applyPassword, type PasswordDeps, provePassword } from "../password/index.ts";
import { resetSettings } from "../settings/index.ts";
import { removeSecondFactors } from "../sign-in-method/index.ts";
import { endAccessOfUser, endPreparedSessions, terminateOtherSessions } from "../sign-out/index.ts";
import { changeUserState, findAuthorOfCredential, findUserScope, holdUser } from "../user/index.ts";

export interface RecoverAdministrator {
  readonly loginName: string;
  /** A password that has to be changed at the next sign-in. */
  readonly password: string;
  /** Whether the login settings of the instance become the defaults, and those of the organization the instance's. */
  readonly resetsLoginSettings?: boolean;
  /** Whether the second factors are removed, because they are lost. */
  readonly removesSecondFactors?: boolean;
}

/**
 * Restores access for an administrator who cannot sign in, whatever the reason: the organization or the user is
 * deactivated or locked, the password or the second factors are lost, or the instance no longer has an owner. For an
 * operator on the host; everything is recorded in the event log. Each part may be done already.
 */
export async function recoverAdministrator(
  deps: PasswordDeps,
  call: Call,
  { loginName, password, resetsLoginSettings = false, removesSecondFactors = false }: RecoverAdministrator,
): Promise<{ readonly userId: string }> {
  requireCaller(call);
  const { read } = deps.database;
  // Not at once whom a sign-in means: others could have prepared a user with the address of an administrator.
  const found =
    (await findUserByLoginName(read, call.instanceId, loginName, { isWide: true })) ??
    (await findUserByLoginName(read, call.instanceId, loginName));
  const scope = found && (await findUserScope(read, call.instanceId, found.userId));
  if (scope === undefined || scope.kind !== "human") throw notFound();
  const { userId, organizationId, state } = scope;
  await activateOrganization(deps, call, organizationId);
  const move = { inactive: "reactivate", locked: "unlock", active: undefined, initial: undefined } as const;
  const needed = move[state];
  if (needed !== undefined)
    await changeUserState({ ...deps, refuseLossOfOwner, endAccessOfUser }, call, { userId, move: needed });
  const wanted = { userId, password: { password, isChangeRequired: true }, proof: { by: "permission" } } as const;
  const of = { ...deps, mayPrepareFor, mayVouchFor, isCredentialSuspended, terminateOtherSessions };
  const prepared = await provePassword(of, call, wanted);
  if (removesSecondFactors) await removeSecondFactors(deps, call, { userId });
  // At once: between them others could sign in with the former password, to be owners then.
  await deps.database.change(call, async (tx) => {
    const user = await holdUser(tx, userId);
    if (user?.kind !== "human") throw notFound();
    await applyPassword(tx, of, user, { ...prepared, author: await findAuthorOfCredential(tx, user) });
    await ensureOwner(tx, { endPreparedSessions }, userId);
  });
  if (resetsLoginSettings) {
    // The instance first, because the organization follows it then.
    for (const reset of ["", organizationId]) {
      await resetSettings({ ...deps, refuseLockout: allowLockout }, call, { kind: "login", organizationId: reset });
    }
  }
  return { userId };
}

// Whom the settings of the instance keep out is no reason to leave the organization those that have to go.
const allowLockout: RefuseLockout = (_tx, _organizationId, change) => change();

const notFound = (): Fault => new Fault("not_found", "user.not_found", { field: "loginName" });
