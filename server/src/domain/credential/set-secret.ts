import type { Random } from "../../base/random.ts";
import { hashSecret, type Secret } from "../../base/secret.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { generateCode } from "../one-time-secret/index.ts";
import { readCodeFormat } from "../settings/index.ts";
import {
  type AuthorizeDeps,
  holdAuthorizedUser,
  recordUserEvent,
  requireMachine,
  writeOwn,
  writeOwnData,
} from "../user/index.ts";
import { refuseOutlasting } from "./refuse-outlasting.ts";
import { updateSecret } from "./secret.store.ts";

/**
 * Generates the secret of a service account, with which it gets tokens as client `username`. The former one becomes
 * invalid.
 */
export function setSecret(
  deps: AuthorizeDeps & { readonly database: Database; readonly random: Random },
  call: Call,
  input: { readonly userId: string },
): Promise<{ readonly clientSecret: Secret; readonly createdAt: number }> {
  return deps.database.change(call, async (tx) => {
    const user = requireMachine(await holdAuthorizedUser(tx, input.userId, writeOwn(deps)));
    refuseOutlasting(call, user, {});
    const clientSecret = generateCode(deps.random, await readCodeFormat(tx, tx.instanceId, "client_secret"));
    await updateSecret(tx, user.userId, hashSecret(clientSecret));
    await recordUserEvent(tx, user, { type: "user.secret.set" });
    return { clientSecret, createdAt: tx.now };
  });
}

/** Removes the secret of a service account, if there is one. */
export function removeSecret(
  deps: AuthorizeDeps & { readonly database: Database },
  call: Call,
  input: { readonly userId: string },
): Promise<void> {
  return deps.database.change(call, async (tx) => {
    const user = requireMachine(await holdAuthorizedUser(tx, input.userId, writeOwnData(deps)));
    if (!user.hasSecret) return;
    await updateSecret(tx, user.userId, null);
    await recordUserEvent(tx, user, { type: "user.secret.removed" });
  });
}
