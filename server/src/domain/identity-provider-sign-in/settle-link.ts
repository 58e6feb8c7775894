import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import type { Database, Tx } from "../../database/index.ts";
import { refuseIntent, spendIntent } from "../identity-provider-intent/index.ts";
import type { ExternalAttempt } from "./external-attempt.ts";
import { isOffered } from "./find-person.ts";

export interface SettleLink {
  readonly attempt: Pick<ExternalAttempt, "intentId" | "provider">;
  readonly browserHash: string;
  readonly user: { readonly userId: string; readonly organizationId: string };
}

/**
 * Performs the step that links the account of an attempt to a user, and consumes the attempt. Any obstacle ends the
 * attempt with a reason: `gone` when it was consumed meanwhile, else `refused`.
 */
export async function settleLink(
  deps: Parameters<typeof isOffered>[0] & { readonly database: Database },
  call: Call,
  { attempt: { intentId, provider }, browserHash, user: { userId, organizationId } }: SettleLink,
  link: (tx: Tx) => Promise<void>,
): Promise<"linked" | "refused" | "gone"> {
  try {
    if (!(await isOffered(deps, call, provider, { organizationId, userId }))) {
      throw new Fault("failed_precondition", "identity_intent.provider_unusable");
    }
    return await deps.database.change<"linked">(call, async (tx) => {
      await link(tx);
      await spendIntent(tx, { intentId, browserHash });
      return "linked";
    });
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    if (error.id === "identity_intent.invalid") return "gone";
    await deps.database.change(call, (tx) => refuseIntent(tx, intentId, error.id));
    return "refused";
  }
}
