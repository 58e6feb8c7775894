import type { Secret } from "../../base/secret.ts";
import type { Call } from "../../call/index.ts";
import type { Database, Details, Tx } from "../../database/index.ts";
import { deleteOneTimeSecrets } from "../one-time-secret/index.ts";
import { type AuthorizeDeps, holdAuthorizedUser, requireHuman, writeOwnWayIn } from "./authorize-user.ts";
import { updateEmail } from "./contact.store.ts";
import { parseEmail } from "./identifier.ts";
import { type CodeDeps, issueCode } from "./issue-code.ts";
import { leaveInitialState } from "./leave-initial-state.ts";
import { readDetails } from "./read-details.ts";
import { recordUserEvent } from "./record-user.ts";
import type { HumanUser } from "./user.ts";
import { authorizeVerification, type Verification } from "./verification.ts";

/** Details after a change, and the code when it was to be returned. */
export interface ContactChange {
  readonly details: Details;
  readonly code?: Secret;
}

/** Sets the email address of a user. */
export function setEmail(
  deps: AuthorizeDeps & CodeDeps & { readonly database: Database },
  call: Call,
  input: { readonly userId: string; readonly address: string; readonly verification: Verification },
): Promise<ContactChange> {
  return deps.database.change(call, async (tx) => {
    const user = requireHuman(await holdAuthorizedUser(tx, input.userId, writeOwnWayIn(deps)));
    authorizeVerification(call, user, input.verification);
    const code = await applyEmail(tx, deps, user, input);
    return { details: await readDetails(tx, user), ...(code !== undefined && { code }) };
  });
}

// Codes that were sent to the former address, and would open the account to its readers.
const codesOfAddress = [
  "email_verification",
  "password_reset",
  "invitation",
  "initialization",
  "passkey_registration",
  "otp_email_enrolment",
] as const;

/**
 * Step: sets the address and starts its verification. Invalidates codes that were sent to the former address. An
 * address that the user already has, in the wanted state, changes nothing.
 */
export async function applyEmail(
  tx: Tx,
  deps: CodeDeps,
  user: HumanUser,
  input: { readonly address: string; readonly verification: Verification },
): Promise<Secret | undefined> {
  const { shown, key } = parseEmail(input.address, "email");
  const { verification } = input;
  const isSame = shown === user.email.address;
  const isVerified = verification.by === "trust" || (isSame && user.email.isVerified);
  if (!isSame || isVerified !== user.email.isVerified) {
    await updateEmail(tx, user.userId, { shown, key, isVerified });
    await deleteOneTimeSecrets(tx, user.userId, codesOfAddress);
    const formerEmail = isSame ? undefined : user.email;
    await recordUserEvent(tx, user, { type: "user.email.set", payload: { email: shown, isVerified }, formerEmail });
    await leaveInitialState(tx, user);
  }
  if (verification.by === "trust" || verification.by === "nothing" || isVerified) return undefined;
  return issueCode(tx, deps, user, {
    kind: "email_verification",
    channel: "email",
    recipient: shown,
    delivery: verification,
  });
}
