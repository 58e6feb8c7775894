import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import type { Details, Tx } from "../../database/index.ts";
import { type ContactProofDeps, checkCode, codeInvalid, languageOf, redeemCode } from "../contact/index.ts";
import { queueNotification } from "../notification/index.ts";
import { deleteOneTimeSecrets } from "../one-time-secret/index.ts";
import { readSettings } from "../settings/index.ts";
import {
  authorizeUser,
  findAuthorOfCredential,
  type HumanUser,
  isSelf,
  leaveInitialState,
  notFound,
  readDetails,
  recordUserEvent,
  requireHuman,
  type SuspensionDeps,
  writeOthers,
  writeOwn,
} from "../user/index.ts";
import { checkPassword } from "./check-password.ts";
import { passwordThrottled } from "./guess-throttle.ts";
import { updatePassword } from "./password.store.ts";
import { type NewPassword, type PasswordDeps, type PreparedPassword, preparePassword } from "./prepare-password.ts";

/** The proof that the password may be set: the current one, a code that was sent, or administrative permission. */
export type PasswordProof =
  | { readonly by: "current_password"; readonly password: string }
  | { readonly by: "code"; readonly code: string }
  | { readonly by: "permission" };

export interface SetPassword {
  readonly userId: string;
  readonly password: NewPassword;
  readonly proof: PasswordProof;
  /** Hash of the secret of the browser that the user acts in: its session stays. */
  readonly browserHash?: string | undefined;
  /** The same where a code was entered, which is no sign-in: no session stays, but the user still knows the browser. */
  readonly codeEnteredIn?: string | undefined;
}

export interface SetPasswordDeps extends PasswordDeps, ContactProofDeps, SuspensionDeps {
  /**
   * Step of a later module (`sign-out`): ends every session of the user except the one that stays, and forgets their
   * browsers, except that in which they act.
   */
  readonly terminateOtherSessions: (
    tx: Tx,
    userId: string,
    staying: {
      readonly sessionId?: string | undefined;
      readonly browserHash?: string | undefined;
      readonly forgetsBrowsersBut?: { readonly browserHash?: string };
    },
  ) => Promise<void>;
}

/** A password that may be stored; with `formerHash`, only while the password is still the one that was proven. */
export type ProvenPassword = PreparedPassword & {
  readonly formerHash?: string | undefined;
  /** The author of the password that was shown, who could have shown it as well. */
  readonly formerAuthor?: string | undefined;
};

/**
 * Sets a user's password and ends the user's other sessions, including those that an attacker opened with the old one.
 * With a code any caller may, because the code is the permission. With the current password, the user and callers who
 * may write the user may. Without a proof only callers who may write the user may, and never for themselves.
 */
export async function setPassword(deps: SetPasswordDeps, call: Call, input: SetPassword): Promise<Details> {
  const { proof, userId } = input;
  const user = await authorizePassword(deps, call, input);
  const password = await proveAndPrepare(deps, call, user, input);
  const details = await deps.database.change(call, async (tx) => {
    const { browserHash, codeEnteredIn } = input;
    const by = { ...password, browserHash, codeEnteredIn };
    if (proof.by !== "code") {
      const author = await findAuthorOfCredential(tx, user, password.formerAuthor);
      return applyPassword(tx, deps, user, { ...password, browserHash, author });
    }
    const redeemed = await redeemCode(tx, deps, { userId, kind: "password_reset", code: proof.code });
    return redeemed && applyPassword(tx, deps, user, { ...by, author: redeemed.author });
  });
  if (details === undefined) throw codeInvalid();
  return details;
}

/**
 * Proves and prepares a password that is stored in a larger change. Does not use up a code: that belongs in the unit of
 * work.
 */
export async function provePassword(
  deps: PasswordDeps & ContactProofDeps & SuspensionDeps,
  call: Call,
  input: SetPassword,
): Promise<ProvenPassword> {
  return proveAndPrepare(deps, call, await authorizePassword(deps, call, input), input);
}

/**
 * Codes with which another way into the account could be added: users change the password of an account to close it.
 */
const spentByPassword = ["password_reset", "invitation", "initialization", "passkey_registration"] as const;

/**
 * Step: stores a prepared password with its author (`authorOfCredential`), notifies the user, deletes codes that could
 * set it again or add a passkey, and ends the other sessions. Where the former one was not shown, those who knew it
 * could have made browsers known for their guesses at this one.
 */
export async function applyPassword(
  tx: Tx,
  deps: SetPasswordDeps,
  user: HumanUser,
  password: ProvenPassword & Pick<SetPassword, "browserHash" | "codeEnteredIn"> & { readonly author: string },
): Promise<Details> {
  const isSet = await updatePassword(tx, user.userId, password);
  if (!isSet) throw new Fault("aborted", "user.password_changing");
  await deleteOneTimeSecrets(tx, user.userId, spentByPassword);
  const { isChangeRequired } = password;
  await recordUserEvent(tx, user, { type: "user.password.set", payload: { isChangeRequired } });
  await leaveInitialState(tx, user);
  if (user.email.isVerified && (await isTold(tx, user))) {
    await queueNotification(tx, deps, {
      kind: "password_changed",
      channel: "email",
      userId: user.userId,
      organizationId: user.organizationId,
      recipient: user.email.address,
      language: await languageOf(tx, user),
      values: {},
    });
  }
  // The calling session stays only when the user made the call, not an administrator.
  const sessionId = isSelf(tx.call, user.userId) ? tx.call.caller?.sessionId : undefined;
  const { browserHash, codeEnteredIn, formerHash } = password;
  const but = codeEnteredIn === undefined ? {} : { browserHash: codeEnteredIn };
  const forgets = user.hasPassword && formerHash === undefined && { forgetsBrowsersBut: but };
  await deps.terminateOtherSessions(tx, user.userId, { sessionId, browserHash, ...forgets });
  return readDetails(tx, user);
}

async function isTold(tx: Tx, { organizationId, userId }: HumanUser): Promise<boolean> {
  const { instanceId } = tx;
  return (await readSettings(tx, "notification", { instanceId, organizationId, userId })).settings.passwordChange;
}

async function authorizePassword(
  deps: PasswordDeps & ContactProofDeps,
  call: Call,
  input: SetPassword,
): Promise<HumanUser> {
  const { proof, userId } = input;
  const reader = deps.database.read;
  // Not even "not found", and before the new password is looked at: its refusal would tell the user's names, address
  // and organization to a caller without the code.
  if (proof.by === "code") return checkCode(deps, call, { userId, kind: "password_reset", code: proof.code });
  const wanted = proof.by === "current_password" ? { ...writeOwn(deps), isProven: true } : writeOthers(deps);
  const user = requireHuman(await authorizeUser(reader, call, userId, wanted));
  if (proof.by === "permission" && isSelf(call, userId)) {
    throw new Fault("permission_denied", "user.password_proof_required", { field: "currentPassword" });
  }
  return user;
}

async function proveAndPrepare(
  deps: PasswordDeps & SuspensionDeps,
  call: Call,
  user: HumanUser,
  { password, proof }: SetPassword,
): Promise<ProvenPassword> {
  // A code was checked and is used up after rules and hash: it must survive a refused password.
  if (proof.by !== "current_password") return preparePassword(deps, call, user, password);
  if ("password" in password && password.password.normalize("NFC") === proof.password.normalize("NFC")) {
    throw new Fault("invalid_argument", "user.password_same", { field: "password" });
  }
  const { passwordHash: formerHash, author: formerAuthor } = await proveCurrent(
    deps,
    call,
    user.userId,
    proof.password,
  );
  return { ...(await preparePassword(deps, call, user, password)), formerHash, formerAuthor };
}

// Returns the hash that the password was checked against, so that a newer one is not overwritten.
async function proveCurrent(deps: PasswordDeps & SuspensionDeps, call: Call, userId: string, password: string) {
  // Who is signed in cannot be kept from it by strangers who guess.
  const knownBy = isSelf(call, userId) ? "self" : undefined;
  const check = await checkPassword(deps, call, { userId, password, knownBy, field: "currentPassword" });
  switch (check.outcome) {
    case "correct":
      return check;
    // A new one would have its author, and would be as old as the roles.
    case "suspended":
      throw new Fault("failed_precondition", "user.credential_suspended", { field: "currentPassword" });
    case "wrong":
      throw new Fault("invalid_argument", "user.password_wrong", {
        field: "currentPassword",
        values: { failedAttempts: check.failedAttempts },
      });
    case "blocked":
      throw new Fault("failed_precondition", "user.password_blocked", { field: "currentPassword" });
    case "resting":
      throw passwordThrottled(check.seconds);
    case "impossible":
      if (check.reason === "unknown") throw notFound();
      throw new Fault("failed_precondition", impossible[check.reason], { field: "currentPassword" });
    default:
      return check satisfies never;
  }
}

const impossible = { no_password: "user.password_absent", not_active: "user.not_active" } as const;
