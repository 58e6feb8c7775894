import type { Call } from "../../call/index.ts";
import type { Database, Details } from "../../database/index.ts";
import {
  type AuthorizeDeps,
  holdAuthorizedUser,
  recordUserEvent,
  removeSecondFactor,
  requireHuman,
  type UserAuthorization,
  writeOwnCredential,
} from "../user/index.ts";
import { deleteFactor } from "./delete-factor.ts";
import type { CodeFactor } from "./factor.ts";
import { deleteRecoveryCodes } from "./recovery-code.store.ts";
import { removeLoneRecoveryCodes } from "./remove-lone-recovery-codes.ts";

/**
 * Removes a factor of a user, with the recovery codes when it was the last; sessions that used it stay. Removing an
 * absent factor succeeds, and nothing happens.
 */
export function removeFactor(
  deps: AuthorizeDeps & { readonly database: Database },
  call: Call,
  { userId, kind }: { readonly userId: string; readonly kind: CodeFactor },
): Promise<Details> {
  return deps.database.change(call, async (tx) => {
    const user = requireHuman(await holdAuthorizedUser(tx, userId, permissionFor(deps, kind)));
    if (!(await deleteFactor(tx, userId, kind))) return user.details;
    if (kind === "recovery_codes") await deleteRecoveryCodes(tx, userId);
    else await removeLoneRecoveryCodes(tx, user);
    const sequence = await recordUserEvent(tx, user, { type: `user.${kind}.removed` });
    return { ...user.details, sequence, changedAt: tx.now };
  });
}

// As the contract has it: recovery codes are the exception.
const permissionFor = (deps: AuthorizeDeps, kind: CodeFactor): UserAuthorization =>
  kind === "recovery_codes" ? writeOwnCredential(deps) : removeSecondFactor(deps);
