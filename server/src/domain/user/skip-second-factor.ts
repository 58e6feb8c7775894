import type { Call } from "../../call/index.ts";
import type { Database, Details } from "../../database/index.ts";
import { type AuthorizeDeps, holdAuthorizedUser, requireHuman, writeOwn } from "./authorize-user.ts";
import { updateSecondFactorSkipped } from "./profile.store.ts";
import { recordUserEvent } from "./record-user.ts";

/** Records that a user was offered a second factor and postponed it. */
export function skipSecondFactor(
  deps: AuthorizeDeps & { readonly database: Database },
  call: Call,
  input: { readonly userId: string },
): Promise<Details> {
  return deps.database.change(call, async (tx) => {
    const user = requireHuman(await holdAuthorizedUser(tx, input.userId, { ...writeOwn(deps), isProven: true }));
    await updateSecondFactorSkipped(tx, user.userId);
    const sequence = await recordUserEvent(tx, user, { type: "user.second_factor.skipped" });
    return { ...user.details, sequence, changedAt: tx.now };
  });
}
