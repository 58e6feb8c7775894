import { seconds } from "../../base/clock.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { type CodeDeps, linkOfFormerCode, mayRedeem, senderOfFormerCode } from "../contact/index.ts";
import { quietly } from "../notification/index.ts";
import { findOneTimeSecret } from "../one-time-secret/index.ts";
import { findUserScope, hasBegun, holdUser, type PreparedDeps } from "../user/index.ts";
import { invite } from "./create-invitation.ts";

// Repeated requests of a stranger must neither fill a mailbox nor invalidate the code that was just sent.
const pause = seconds(60);

/**
 * Sends an invitation again, when a browser with its link asks for it: to the address of the account, with the former
 * link. Does nothing without a former invitation, or when that was returned or sent just now, or when the user has a
 * way to sign in. Sends nothing either to an address named by an administrator with fewer rights than the user. None of
 * this fails or is revealed.
 */
export async function requestInvitation(
  deps: CodeDeps & PreparedDeps & { readonly database: Database },
  call: Call,
  { userId }: { readonly userId: string },
): Promise<void> {
  await quietly(() =>
    deps.database.change(call, async (tx) => {
      if (!mayRedeem(await findUserScope(tx, tx.instanceId, userId))) return;
      // Locked, so that of two concurrent requests the second sees what the first has sent.
      const user = await holdUser(tx, userId);
      if (user?.kind !== "human" || (await hasBegun(tx, user))) return;
      const former = await findOneTimeSecret(tx, tx.instanceId, { kind: "invitation", subjectId: userId });
      if (former === undefined || former.bound["by"] === "return" || former.createdAt + pause > tx.now) return;
      const { applicationName } = former.bound;
      const link = await linkOfFormerCode(tx, deps, user, former);
      const sender = senderOfFormerCode(tx, former);
      await invite(tx, deps, user, { by: "message", applicationName, namesUser: true, ...sender, ...link });
    }),
  );
}
