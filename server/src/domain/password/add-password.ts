import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import type { Details } from "../../database/index.ts";
import {
  authorizeUser,
  authorOfCredential,
  holdAuthorizedUser,
  isSelf,
  requireHuman,
  writeOwnCredential,
} from "../user/index.ts";
import { preparePassword } from "./prepare-password.ts";
import { applyPassword, type SetPasswordDeps } from "./set-password.ts";

export interface AddPassword {
  readonly userId: string;
  readonly password: string;
  /** Hash of the secret of the browser that the user acts in: its session stays. */
  readonly browserHash: string;
}

/**
 * Gives a user without a password one, only for the caller's own account. There is nothing to prove it with, so callers
 * must have made sure that the user has just authenticated in full.
 */
export async function addPassword(deps: SetPasswordDeps, call: Call, input: AddPassword): Promise<Details> {
  const { userId, browserHash } = input;
  const wanted = writeOwnCredential(deps);
  const user = requireHuman(await authorizeUser(deps.database.read, call, userId, wanted));
  if (!isSelf(call, userId)) throw new Fault("permission_denied", "user.password_proof_required");
  const password = await preparePassword(deps, call, user, { password: input.password, isChangeRequired: false });
  return deps.database.change(call, async (tx) => {
    const held = requireHuman(await holdAuthorizedUser(tx, userId, wanted));
    if (held.hasPassword) {
      throw new Fault("failed_precondition", "user.password_proof_required", { field: "currentPassword" });
    }
    return applyPassword(tx, deps, held, { ...password, browserHash, author: authorOfCredential(tx.call, held) });
  });
}
