import { seconds } from "../../base/clock.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { findOneTimeSecret } from "../one-time-secret/index.ts";
import { invite } from "./create-invitation.ts";
import type { CodeDeps } from "./issue-code.ts";
import { mayRedeem } from "./redeem-code.ts";
import { findUserScope, hasFactor, holdUser } from "./user.store.ts";

// A stranger who asks again and again must not fill somebody's mailbox, nor kill the code that was just sent.
const pause = seconds(60);

/**
 * Sends an invitation again because somebody with its link asked for it: to the address that the account has, with the link that it had. Does nothing
 * where there was none, where it was not sent, and for who has a way to sign in; fails for none of it and tells nothing.
 */
export async function requestInvitation(
  deps: CodeDeps & { readonly database: Database },
  call: Call,
  { userId }: { readonly userId: string },
): Promise<void> {
  await deps.database.change(call, async (tx) => {
    if (!mayRedeem(await findUserScope(tx, tx.instanceId, userId))) return;
    // Held, so that of two who ask at once the second sees what the first has sent.
    const user = await holdUser(tx, userId);
    if (user?.kind !== "human" || user.hasPassword || (await hasFactor(tx, userId))) return;
    const former = await findOneTimeSecret(tx, tx.instanceId, { kind: "invitation", subjectId: userId });
    if (former === undefined || former.bound["by"] === "return" || former.createdAt + pause > tx.now) return;
    const { urlTemplate, applicationName } = former.bound;
    await invite(tx, deps, user, { by: "message", urlTemplate, applicationName });
  });
}
