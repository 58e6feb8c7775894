import { Fault } from "../../base/fault.ts";
import type { Secret } from "../../base/secret.ts";
import type { Call } from "../../call/index.ts";
import type { Database, Tx } from "../../database/index.ts";
import {
  authorizeVerification,
  type CodeDelivery,
  type CodeDeps,
  type ContactChange,
  issueCode,
  linkOfFormerCode,
} from "../contact/index.ts";
import { findOneTimeSecret } from "../one-time-secret/index.ts";
import {
  type AuthorizeDeps,
  type HumanUser,
  hasBegun,
  holdAuthorizedUser,
  type PreparedDeps,
  readDetails,
  requireHuman,
  sendCode,
} from "../user/index.ts";

/**
 * Invites a user to add a first method of signing in. Refused once there is one: then a password reset is the right
 * method.
 */
export function createInvitation(
  deps: AuthorizeDeps & CodeDeps & { readonly database: Database },
  call: Call,
  input: { readonly userId: string; readonly delivery: CodeDelivery },
): Promise<ContactChange> {
  return deps.database.change(call, async (tx) => {
    const user = requireHuman(await holdAuthorizedUser(tx, input.userId, sendCode(deps, input.delivery)));
    authorizeVerification(call, user, input.delivery);
    const code = await invite(tx, deps, user, input.delivery);
    return { details: await readDetails(tx, user), ...(code !== undefined && { code }) };
  });
}

/**
 * Sends the invitation again, with a new code and the same link; refused when the code of the last one was returned.
 */
export function resendInvitation(
  deps: AuthorizeDeps & CodeDeps & PreparedDeps & { readonly database: Database },
  call: Call,
  input: { readonly userId: string },
): Promise<ContactChange> {
  return deps.database.change(call, async (tx) => {
    const user = requireHuman(await holdAuthorizedUser(tx, input.userId, sendCode(deps, { by: "message" })));
    const former = await findOneTimeSecret(tx, tx.instanceId, { kind: "invitation", subjectId: user.userId });
    if (former === undefined) throw new Fault("failed_precondition", "user.code_absent");
    if (former.bound["by"] === "return") throw new Fault("failed_precondition", "user.code_returned");
    const { applicationName } = former.bound;
    const link = await linkOfFormerCode(tx, deps, user, former);
    await invite(tx, deps, user, { by: "message", applicationName, ...link });
    return { details: await readDetails(tx, user) };
  });
}

/** Step: creates the code, and sends it unless it is to be returned. Refuses users who have a way to sign in. */
export async function invite(
  tx: Tx,
  deps: CodeDeps,
  user: HumanUser,
  delivery: CodeDelivery,
): Promise<Secret | undefined> {
  if (await hasBegun(tx, user)) throw new Fault("failed_precondition", "user.already_initialised");
  return issueCode(tx, deps, user, {
    kind: "invitation",
    channel: "email",
    recipient: user.email.address,
    delivery,
  });
}
