import type { Call } from "../../call/index.ts";
import { holdBrowserAuthRequest } from "../auth-request/index.ts";
import {
  type BrowserVisit,
  endOf,
  findSignIn,
  keyOf,
  putSignIn,
  type SignInDeps,
  type StepOutcome,
  unnamed,
} from "../sign-in/index.ts";
import { checkNewPerson } from "../user-management/index.ts";
import { findNameHolder } from "./find-name-holder.ts";
import type { SelfMade } from "./make-account.ts";
import { openSignUp, type PendingSignUp, sealSignUp } from "./pending-sign-up.ts";
import { sendSignUpMessage } from "./send-sign-up-message.ts";

/** The account that already waits in the attempt of a browser. */
export interface FormerSignUp {
  readonly attemptId: string | undefined;
  /** Undefined for an account that has waited for too long. */
  readonly pending: PendingSignUp | undefined;
}

/**
 * Stores an account that waits for the proof of its address, in the attempt of its browser, in place of `former`.
 * Whether the address has an account already changes nothing that the browser can see. `gone`: the request no longer
 * belongs to this browser. `raced`: another submission was quicker.
 */
export async function beginSignUp(
  deps: SignInDeps,
  call: Call,
  visit: BrowserVisit,
  { pending, signInAddress, former }: NewPending,
): Promise<StepOutcome | { readonly outcome: "raced" }> {
  const { givenName, familyName, email: typed } = pending;
  const { email } = checkNewPerson({ email: typed, profile: { givenName, familyName } });
  const { read } = deps.database;
  const holder = await findNameHolder(read, call.instanceId, deps, {
    organizationId: pending.organizationId,
    nameKey: email.key,
  });
  const attemptId = deps.newId();
  const attemptEnd = endOf(visit, call);
  const key = keyOf(visit);
  const sealedSignUp = sealSignUp(deps, call, attemptId, { ...pending, email: email.shown });
  const attempt = { ...unnamed, state: "sign_up", loginName: email.shown, attemptId, sealedSignUp } as const;
  const sending = {
    pending: { ...pending, email: email.shown },
    addressKey: email.key,
    holder,
    attemptEnd,
    signInAddress,
  };
  return deps.database.touch(call, async (tx) => {
    const { authRequestId, browserHash } = key;
    if (authRequestId !== undefined && !(await holdBrowserAuthRequest(tx, { authRequestId, browserHash }))) {
      return { outcome: "gone" };
    }
    const signIn = await findSignIn(tx, tx.instanceId, key, tx.now);
    if (signIn?.state === "sign_up" && signIn.attemptId !== former?.attemptId) return { outcome: "raced" };
    await putSignIn(tx, key, attempt, attemptEnd);
    await sendSignUpMessage(tx, deps, sending);
    return { outcome: "next", browser: undefined };
  });
}

export interface NewPending {
  readonly pending: PendingSignUp;
  /** Where users sign in, for a recipient who has an account already. */
  readonly signInAddress: string;
  readonly former: FormerSignUp | undefined;
}

/** Finds the account that waits in the attempt of a browser. */
export async function findFormerSignUp(
  deps: SignInDeps,
  call: Call,
  visit: BrowserVisit,
): Promise<FormerSignUp | undefined> {
  const attempt = await findSignIn(deps.database.read, call.instanceId, keyOf(visit), call.now);
  return attempt?.state === "sign_up"
    ? { attemptId: attempt.attemptId, pending: openSignUp(deps, call, attempt) }
    : undefined;
}

/** Returns whether the same data was entered again; callers compare the proof. */
export const isSamePerson = (pending: PendingSignUp, entered: SelfMade): boolean =>
  pending.organizationId === entered.organizationId &&
  pending.email === entered.email.trim().normalize("NFC") &&
  pending.givenName === entered.givenName &&
  pending.familyName === entered.familyName;
