import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import type { Database, Tx } from "../../database/index.ts";
import { findOneTimeSecret, type OneTimeSecret } from "../one-time-secret/index.ts";
import {
  type AuthorizeDeps,
  type HumanUser,
  holdAuthorizedUser,
  type PreparedDeps,
  readDetails,
  requireHuman,
  sendCode,
} from "../user/index.ts";
import { linkOfFormerCode } from "./code-author.ts";
import { type CodeDelivery, type CodeDeps, issueCode } from "./issue-code.ts";
import type { ContactChange } from "./set-email.ts";
import { authorizeVerification } from "./verification.ts";

export interface SendEmailCode {
  readonly userId: string;
  readonly delivery: CodeDelivery;
  /** Whether a former code is required ("resend"). */
  readonly isAgain: boolean;
}

/** Creates another code for the email address of a user, as long as the address is not verified. */
export function sendEmailCode(
  deps: AuthorizeDeps & CodeDeps & PreparedDeps & { readonly database: Database },
  call: Call,
  input: SendEmailCode,
): Promise<ContactChange> {
  return deps.database.change(call, async (tx) => {
    const user = requireHuman(await holdAuthorizedUser(tx, input.userId, sendCode(deps, input.delivery)));
    authorizeVerification(call, user, input.delivery);
    if (user.email.isVerified) throw new Fault("failed_precondition", "user.email_verified");
    const former = await findOneTimeSecret(tx, tx.instanceId, { kind: "email_verification", subjectId: user.userId });
    if (input.isAgain && former === undefined) throw new Fault("failed_precondition", "user.code_absent");
    const code = await issueCode(tx, deps, user, {
      kind: "email_verification",
      channel: "email",
      recipient: user.email.address,
      delivery: await withFormerLink(tx, deps, user, { delivery: input.delivery, former }),
    });
    return { details: await readDetails(tx, user), ...(code !== undefined && { code }) };
  });
}

// A code that is sent again without a link of its own uses the link of the former message.
async function withFormerLink(
  tx: Tx,
  deps: PreparedDeps,
  user: HumanUser,
  { delivery, former }: { readonly delivery: CodeDelivery; readonly former: OneTimeSecret | undefined },
): Promise<CodeDelivery> {
  if (delivery.by === "return" || delivery.urlTemplate !== undefined || former === undefined) return delivery;
  return { ...delivery, ...(await linkOfFormerCode(tx, deps, user, former)) };
}
