import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { findHostedIntent } from "../identity-provider-intent/index.ts";
import {
  type AuthorizeDeps,
  authorOfCredential,
  holdAuthorizedUser,
  requireHuman,
  writeOwnSignInMethods,
} from "../user/index.ts";
import type { ExternalAttempt } from "./external-attempt.ts";
import { linkProvenAccount } from "./link-proven-account.ts";
import { settleLink } from "./settle-link.ts";

export interface LinkOwnAccount {
  readonly attempt: Pick<ExternalAttempt, "intentId" | "provider" | "identity">;
  readonly browserHash: string;
  readonly user: { readonly userId: string; readonly organizationId: string };
}

/**
 * Links the account of an attempt to the user who started the attempt for that purpose, and consumes it. Attempts of
 * other users and sign-in attempts are rejected. Any obstacle ends the attempt with a reason.
 */
export async function linkOwnAccount(
  deps: AuthorizeDeps & { readonly database: Database },
  call: Call,
  { attempt, browserHash, user: { userId, organizationId } }: LinkOwnAccount,
): Promise<"linked" | "refused" | "gone"> {
  const key = { intentId: attempt.intentId, browserHash };
  const intent = await findHostedIntent(deps.database.read, call.instanceId, key, call.now);
  if (intent?.state !== "succeeded" || intent.linkUserId !== userId) return "gone";
  return settleLink(deps, call, { attempt, browserHash, user: { userId, organizationId } }, async (tx) => {
    const user = requireHuman(await holdAuthorizedUser(tx, userId, writeOwnSignInMethods(deps)));
    await linkProvenAccount(tx, user, {
      attempt,
      intent,
      author: authorOfCredential(call, user),
      reach: "everywhere",
    });
  });
}
