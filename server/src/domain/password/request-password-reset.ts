import type { Budgets } from "../../base/budget/budgets.ts";
import { blockOf } from "../../base/budget/network-of.ts";
import { seconds } from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import type { Database, Tx } from "../../database/index.ts";
import {
  type CodeDelivery,
  type CodeDeps,
  type ContactChange,
  type ContactProofDeps,
  findOpeningRecipient,
  issueCode,
  type OpeningDeps,
  provenRecipientOf,
  recipientOf,
} from "../contact/index.ts";
import { quietly } from "../notification/index.ts";
import { findOneTimeSecret } from "../one-time-secret/index.ts";
import {
  type AuthorizeDeps,
  type HumanUser,
  holdAuthorizedUser,
  holdUser,
  isSelf,
  readDetails,
  requireHuman,
  sendCode,
} from "../user/index.ts";

export interface RequestPasswordReset {
  readonly userId: string;
  readonly channel: "email" | "sms";
  readonly delivery: CodeDelivery;
}

/**
 * Creates a code with which a user can set a new password. A user who asks for their own account never gets it in the
 * response: it would replace the proof that changing a password takes. Where a message goes depends on the caller
 * (`findOpeningRecipient`).
 */
export function requestPasswordReset(
  deps: AuthorizeDeps & CodeDeps & OpeningDeps & { readonly database: Database },
  call: Call,
  input: RequestPasswordReset,
): Promise<ContactChange> {
  return deps.database.change(call, async (tx) => {
    // A message that users ask for is as good as a new password: the token of an unattended screen must not get one.
    const wanted = { ...sendCode(deps, input.delivery), isFresh: deps.isFresh };
    const user = requireHuman(await holdAuthorizedUser(tx, input.userId, wanted));
    if (isSelf(call, user.userId) && input.delivery.by === "return") {
      throw new Fault("permission_denied", "user.password_proof_required");
    }
    const { channel } = input;
    const isReturned = input.delivery.by === "return";
    const recipient = isReturned ? recipientOf(user, channel) : await findOpeningRecipient(tx, deps, user, channel);
    if (recipient === undefined) {
      throw new Fault("failed_precondition", channel === "sms" ? "user.phone_absent" : "user.email_unverified");
    }
    const code = await issueCode(tx, deps, user, { ...input, kind: "password_reset", recipient });
    return { details: await readDetails(tx, user), ...(code !== undefined && { code }) };
  });
}

// Repeated requests of a stranger must neither fill a mailbox nor invalidate the code that was just sent.
export const resetPause = seconds(60);

/**
 * Sends a user the code for a new password, when the sign-in page asks for it. Never fails and reveals nothing: the
 * page is the same for every name. The code can be typed in the attempt that asks, and used with the message's link
 * anywhere. One source cannot use up what a user is sent, nor invalidate one code after the
 * other.
 */
export async function sendPasswordReset(
  deps: CodeDeps & ContactProofDeps & { readonly database: Database; readonly budgets: Budgets },
  call: Call,
  input: { readonly userId: string; readonly attemptId: string },
): Promise<void> {
  await quietly(() =>
    deps.database.change(call, async (tx) => {
      // Locked, so that of several concurrent requests the others see what the first has sent.
      const user = await holdUser(tx, input.userId);
      if (user?.kind !== "human" || user.state !== "active" || (await wasJustSent(tx, user))) return;
      const recipient = await provenRecipientOf(tx, tx.instanceId, deps, { user, channel: "email" });
      if (recipient === undefined || isTooMany(deps, call, user)) return;
      await issueCode(tx, deps, user, {
        kind: "password_reset",
        channel: "email",
        recipient,
        delivery: { by: "message", attemptId: input.attemptId },
      });
    }),
  );
}

function isTooMany(
  { budgets }: { readonly budgets: Budgets },
  { instanceId, now, source = "" }: Call,
  { userId }: HumanUser,
): boolean {
  return budgets.take("resets_of_block", { instanceId, now, subject: `${userId}\n${blockOf(source)}` }) > 0;
}

async function wasJustSent(tx: Tx, user: HumanUser): Promise<boolean> {
  const former = await findOneTimeSecret(tx, tx.instanceId, { kind: "password_reset", subjectId: user.userId });
  return former !== undefined && former.createdAt + resetPause > tx.now;
}
