import type { Call } from "../../call/index.ts";
import type { Details } from "../../database/index.ts";
import { type BeginDeps, beginAccount, checkCode, codeInvalid } from "../contact/index.ts";
import { preparePassword } from "./prepare-password.ts";
import { applyPassword, type SetPasswordDeps } from "./set-password.ts";

export interface SetFirstPassword {
  readonly userId: string;
  /** The kind of code with which the user was asked to begin. */
  readonly kind: "initialization" | "invitation";
  readonly code: string;
  readonly password: string;
}

/**
 * Begins an account with the code of the message about it (`beginAccount`), and sets the password. The code is the
 * permission; it stays valid when the password is refused. An invitation lets in no user who has a password or a factor
 * by now.
 */
export async function setFirstPassword(
  deps: SetPasswordDeps & BeginDeps,
  call: Call,
  input: SetFirstPassword,
): Promise<Details> {
  const { userId, kind, code } = input;
  // First, as for every code: what refuses the password would tell a caller without the code about the user.
  const user = await checkCode(deps, call, { userId, kind, code });
  const password = await preparePassword(deps, call, user, { password: input.password, isChangeRequired: false });
  const details = await deps.database.change(call, async (tx) => {
    const begun = await beginAccount(tx, deps, { userId, kind, code });
    return begun && applyPassword(tx, deps, user, { ...password, author: begun.author });
  });
  if (details === undefined) throw codeInvalid();
  return details;
}
