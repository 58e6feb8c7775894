import { Fault } from "../../base/fault.ts";
import type { Tx } from "../../database/index.ts";
import { renameIdentityLink } from "../identity-provider-link/index.ts";
import { applyProfile, findUser } from "../user/index.ts";
import { accountOf, type ExternalAttempt } from "./external-attempt.ts";

/** Step: updates a linked user from the provider: the account's name, and with `isAutoUpdate` the user's own names. */
export async function takeOver(tx: Tx, userId: string, attempt: ExternalAttempt): Promise<void> {
  const user = await findUser(tx, tx.instanceId, userId);
  if (user?.kind !== "human") return;
  await renameIdentityLink(tx, user, accountOf(attempt));
  if (!attempt.provider.options.isAutoUpdate) return;
  const { givenName, familyName, displayName, nickName } = { ...attempt.identity, ...attempt.change };
  try {
    await applyProfile(tx, user, { givenName, familyName, displayName, nickName });
  } catch (error) {
    // An invalid name does not prevent the sign-in, because names are checked before anything is written.
    if (!(error instanceof Fault) || error.code !== "invalid_argument") throw error;
  }
}
