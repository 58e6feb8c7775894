import type { Secret } from "../../base/secret.ts";
import type { Call } from "../../call/index.ts";
import type { Database, Details, Tx } from "../../database/index.ts";
import { emailKeyOf, parseEmail } from "../login-name/index.ts";
import { deleteOneTimeSecrets } from "../one-time-secret/index.ts";
import {
  type AuthorizeDeps,
  type ContactProof,
  formatProof,
  type HumanUser,
  holdAuthorizedUser,
  leaveInitialState,
  reachesInstance,
  readDetails,
  recordUserEvent,
  requireHuman,
  toldProof,
  writeOwnSignInMethods,
} from "../user/index.ts";
import { updateEmail } from "./contact.store.ts";
import { type CodeDeps, issueCode } from "./issue-code.ts";
import { nameContact } from "./name-contact.ts";
import { authorizeVerification, isCodeCertain, proofOf, type Verification } from "./verification.ts";

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
    const user = requireHuman(await holdAuthorizedUser(tx, input.userId, writeOwnSignInMethods(deps)));
    authorizeVerification(call, user, input.verification);
    const code = await applyEmail(tx, deps, user, input);
    return { details: await readDetails(tx, user), ...(code !== undefined && { code }) };
  });
}

const isWord = (proof: ContactProof | undefined): boolean => proof?.by === "administrator" || proof?.by === "import";

const isOfOther = (given: ContactProof | undefined, former: ContactProof | undefined): boolean =>
  isWord(given) && isWord(former) && formatProof(given) !== formatProof(former);

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
  const given = proofOf(tx.call, user.organizationId, verification);
  const { proof: former } = user.email;
  // A proof with wider effect replaces the stored one, and so does the assertion of another administrator with at least
  // the user's current rights. Otherwise the stored proof stays.
  const isBetter =
    isSame && (reachesInstance(given) === reachesInstance(former) ? isOfOther(given, former) : reachesInstance(given));
  const proof = isSame && user.email.isVerified && !isBetter ? former : given;
  const isChange = !isSame || isVerified !== user.email.isVerified || isBetter;
  if (isChange || (!isVerified && isCodeCertain(verification))) {
    await nameContact(tx, deps, user, { channel: "email", isSame: key === emailKeyOf(user.email.address) });
  }
  if (isChange) {
    await updateEmail(tx, user.userId, { shown, key, isVerified, proof });
    await deleteOneTimeSecrets(tx, user.userId, codesOfAddress);
    const formerEmail = isSame ? undefined : user.email;
    await recordUserEvent(tx, user, {
      type: "user.email.set",
      payload: { email: shown, isVerified, proof: toldProof(proof) },
      formerEmail,
    });
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
