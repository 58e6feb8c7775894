import { Fault } from "../../base/fault.ts";
import type { Tx } from "../../database/index.ts";
import { renameIdentityLink } from "../identity-provider-link/index.ts";
import { applyProfile, findUser } from "../user/index.ts";
import { accountOf, type ExternalAttempt } from "./external-attempt.ts";

/** Step: what is new at the provider about somebody whose account is linked: the account's name, and with `isAutoUpdate` his own. */
export async function takeOver(tx: Tx, userId: string, attempt: ExternalAttempt): Promise<void> {
  const user = await findUser(tx, tx.instanceId, userId);
  if (user?.kind !== "human") return;
  await renameIdentityLink(tx, user, accountOf(attempt));
  if (!attempt.provider.options.isAutoUpdate) return;
  const { givenName, familyName, displayName, nickName } = attempt.identity;
  try {
    await applyProfile(tx, user, { givenName, familyName, displayName, nickName });
  } catch (error) {
    // A name that cannot be one here keeps nobody out; it is read before anything is written.
    if (!(error instanceof Fault) || error.code !== "invalid_argument") throw error;
  }
}
