import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { mayPrepareFor, mayVouchFor } from "../administrator-access/index.ts";
import { beginAccount, codeInvalid } from "../contact/index.ts";
import { findHostedIntent, refuseIntent, spendIntent } from "../identity-provider-intent/index.ts";
import { removePrepared } from "../sign-out/index.ts";
import { findUserScope, leaveInitialState } from "../user/index.ts";
import type { ExternalAttempt } from "./external-attempt.ts";
import { isOffered } from "./find-person.ts";
import { linkProvenAccount } from "./link-proven-account.ts";

export interface AcceptExternally {
  readonly attempt: Pick<ExternalAttempt, "intentId" | "provider" | "identity">;
  readonly browserHash: string;
  /** The code of the invitation, which was valid when the browser was sent to the provider. */
  readonly code: string;
}

/**
 * Accepts an invitation with the account of an attempt that was begun for it. Links the account to the user and
 * consumes code and attempt in one unit of work. Any obstacle ends the attempt with a reason, including an invitation
 * that was used or sent again meanwhile.
 */
export async function acceptInvitationExternally(
  deps: { readonly database: Database },
  call: Call,
  { attempt, browserHash, code }: AcceptExternally,
): Promise<"linked" | "refused" | "gone"> {
  const { intentId, provider } = attempt;
  const key = { intentId, browserHash };
  const intent = await findHostedIntent(deps.database.read, call.instanceId, key, call.now);
  if (intent?.state !== "succeeded" || intent.linkUserId === null) return "gone";
  const { linkUserId: userId } = intent;
  try {
    const { organizationId = "" } = (await findUserScope(deps.database.read, call.instanceId, userId)) ?? {};
    if (!(await isOffered(deps, call, provider, { organizationId, userId }))) {
      throw new Fault("failed_precondition", "identity_intent.provider_unusable");
    }
    const isAccepted = await deps.database.change(call, async (tx) => {
      const by = { mayPrepareFor, mayVouchFor, removePrepared };
      const begun = await beginAccount(tx, by, { userId, kind: "invitation", code });
      if (begun === undefined) return false;
      const { user, author } = begun;
      await linkProvenAccount(tx, user, { attempt, intent, author, reach: "home" });
      await leaveInitialState(tx, user);
      await spendIntent(tx, key);
      return true;
    });
    if (!isAccepted) throw codeInvalid();
    return "linked";
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    if (error.id === "identity_intent.invalid") return "gone";
    await deps.database.change(call, (tx) => refuseIntent(tx, intentId, error.id));
    return "refused";
  }
}
