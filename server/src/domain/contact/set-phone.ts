import type { Secret } from "../../base/secret.ts";
import type { Call } from "../../call/index.ts";
import type { Database, Details, Tx } from "../../database/index.ts";
import { parsePhone } from "../login-name/index.ts";
import { deleteOneTimeSecrets } from "../one-time-secret/index.ts";
import {
  type AuthorizeDeps,
  type HumanUser,
  holdAuthorizedUser,
  readDetails,
  recordUserEvent,
  removeSecondFactor,
  requireHuman,
  toldProof,
  writeOwnSignInMethods,
} from "../user/index.ts";
import { updatePhone } from "./contact.store.ts";
import { type CodeDeps, issueCode } from "./issue-code.ts";
import { nameContact } from "./name-contact.ts";
import type { ContactChange } from "./set-email.ts";
import { authorizeVerification, isCodeCertain, proofOf, type Verification } from "./verification.ts";

/** Sets the phone number of a user. */
export function setPhone(
  deps: AuthorizeDeps & CodeDeps & { readonly database: Database },
  call: Call,
  input: { readonly userId: string; readonly number: string; readonly verification: Verification },
): Promise<ContactChange> {
  return deps.database.change(call, async (tx) => {
    const user = requireHuman(await holdAuthorizedUser(tx, input.userId, writeOwnSignInMethods(deps)));
    authorizeVerification(call, user, input.verification);
    const code = await applyPhone(tx, deps, user, input);
    return { details: await readDetails(tx, user), ...(code !== undefined && { code }) };
  });
}

/** Removes the phone number of a user, if there is one. */
export function removePhone(
  deps: AuthorizeDeps & { readonly database: Database },
  call: Call,
  input: { readonly userId: string },
): Promise<Details> {
  return deps.database.change(call, async (tx) => {
    const user = requireHuman(await holdAuthorizedUser(tx, input.userId, removeSecondFactor(deps)));
    await clearPhone(tx, user);
    return readDetails(tx, user);
  });
}

// Codes that were sent to the former number.
const codesOfNumber = ["phone_verification", "password_reset", "otp_sms_enrolment"] as const;

/**
 * Step: sets the number and starts its verification. A number that the user already has, in the wanted state, changes
 * nothing.
 */
export async function applyPhone(
  tx: Tx,
  deps: CodeDeps,
  user: HumanUser,
  input: { readonly number: string; readonly verification: Verification },
): Promise<Secret | undefined> {
  const number = parsePhone(input.number, "phone");
  const { verification } = input;
  const isSame = number === user.phone?.number;
  const isVerified = verification.by === "trust" || (isSame && user.phone?.isVerified === true);
  const isChange = !isSame || isVerified !== user.phone?.isVerified;
  if (isChange || (!isVerified && isCodeCertain(verification))) {
    await nameContact(tx, deps, user, { channel: "sms", isSame });
  }
  if (isChange) {
    const proof = proofOf(tx.call, user.organizationId, verification);
    await updatePhone(tx, user.userId, { number, isVerified, proof });
    await deleteOneTimeSecrets(tx, user.userId, codesOfNumber);
    await recordUserEvent(tx, user, {
      type: "user.phone.set",
      payload: { phone: number, isVerified, proof: toldProof(proof) },
    });
  }
  if (verification.by === "trust" || verification.by === "nothing" || isVerified) return undefined;
  return issueCode(tx, deps, user, {
    kind: "phone_verification",
    channel: "sms",
    recipient: number,
    delivery: verification,
  });
}

/** Step: removes the number. */
export async function clearPhone(tx: Tx, user: HumanUser): Promise<void> {
  if (user.phone === undefined) return;
  await updatePhone(tx, user.userId, null);
  await deleteOneTimeSecrets(tx, user.userId, codesOfNumber);
  await recordUserEvent(tx, user, { type: "user.phone.removed" });
}
