import { Fault } from "../../base/fault.ts";
import type { Tx } from "../../database/index.ts";
import { mayPrepareFor, mayVouchFor } from "../administrator-access/index.ts";
import { type IdentityIntent, isOpenAt } from "../identity-provider-intent/index.ts";
import { type LinkReach, providerNotTrusted, putIdentityLink } from "../identity-provider-link/index.ts";
import { accountOf, type ExternalAttempt } from "./external-attempt.ts";

/**
 * Step: links the account of an attempt to a user who has proven to be this user by other means: in a session, or for
 * one who only begins, by the code of an invitation, which others can have (`home`). Rejects an attempt
 * whose provider changed meanwhile, and a provider that could not vouch for the user afterwards.
 */
export async function linkProvenAccount(
  tx: Tx,
  user: { readonly userId: string; readonly organizationId: string },
  {
    attempt,
    intent,
    author,
    reach,
  }: {
    readonly attempt: Pick<ExternalAttempt, "provider" | "identity">;
    readonly intent: IdentityIntent;
    /**
     * The administrator who had the code that permitted it as well, or those who could have opened the session; empty
     * where the user alone proved it.
     */
    readonly author: string;
    readonly reach: LinkReach;
  },
): Promise<void> {
  const { provider } = attempt;
  if (!isOpenAt(provider, intent)) throw new Fault("failed_precondition", "identity_intent.provider_unusable");
  await putIdentityLink(tx, { mayPrepareFor }, user, { ...accountOf(attempt), author, reach, isForNewUser: false });
  if (!(await mayVouchFor(tx, tx.instanceId, provider, user))) throw providerNotTrusted();
}
