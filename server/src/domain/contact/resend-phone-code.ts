import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { findOneTimeSecret } from "../one-time-secret/index.ts";
import { type AuthorizeDeps, holdAuthorizedUser, readDetails, requireHuman, sendCode } from "../user/index.ts";
import { type CodeDelivery, type CodeDeps, issueCode } from "./issue-code.ts";
import type { ContactChange } from "./set-email.ts";
import { authorizeVerification } from "./verification.ts";

/** Creates another code for the phone number of a user, if there was one and the number is not verified. */
export function resendPhoneCode(
  deps: AuthorizeDeps & CodeDeps & { readonly database: Database },
  call: Call,
  input: { readonly userId: string; readonly delivery: CodeDelivery },
): Promise<ContactChange> {
  return deps.database.change(call, async (tx) => {
    const user = requireHuman(await holdAuthorizedUser(tx, input.userId, sendCode(deps, input.delivery)));
    authorizeVerification(call, user, input.delivery);
    if (user.phone === undefined) throw new Fault("failed_precondition", "user.phone_absent");
    if (user.phone.isVerified) throw new Fault("failed_precondition", "user.phone_verified");
    const former = await findOneTimeSecret(tx, tx.instanceId, { kind: "phone_verification", subjectId: user.userId });
    if (former === undefined) throw new Fault("failed_precondition", "user.code_absent");
    const code = await issueCode(tx, deps, user, {
      kind: "phone_verification",
      channel: "sms",
      recipient: user.phone.number,
      delivery: input.delivery,
    });
    return { details: await readDetails(tx, user), ...(code !== undefined && { code }) };
  });
}
