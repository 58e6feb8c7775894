import type { Factors } from "../session/index.ts";

/** An attempt to sign in through the hosted login. */
export interface SignIn {
  readonly state: SignInState;
  /** As it was typed; empty while no user was named. */
  readonly loginName: string;
  /** Undefined for an unknown name: the attempt continues like any other and never succeeds. */
  readonly userId: string | undefined;
  readonly problem: Problem | undefined;
  /** Codes and challenges are made for this attempt alone; undefined before there could be any. */
  readonly attemptId: string | undefined;
  /** What was checked in the attempt so far. Empty in the states before a first factor. */
  readonly factors: Factors;
  /**
   * The sign-in epoch of the user when a first factor established who they are; undefined before, and in a step-up
   * until its first proof. What ends the user's sessions begins another epoch, and so ends the attempt.
   */
  readonly signInEpoch: number | undefined;
  /** In the state `sign_up`: the account that waits, sealed for the attempt. */
  readonly sealedSignUp?: string | undefined;
}

/** An attempt as it was read in a request, with what was read beside it and is not stored with it. */
export interface CurrentSignIn extends SignIn {
  /** The organization of the named user; undefined for an unknown name. */
  readonly userOrganizationId: string | undefined;
}

/** Identifies an attempt. */
export interface SignInKey {
  readonly browserHash: string;
  /** Absent when no application waits. */
  readonly authRequestId: string | undefined;
}

/** What was wrong with the last input. */
export interface Problem {
  /** Input of the form that has to be corrected; absent when the problem concerns the whole form. */
  readonly field?: string;
  /** Slug of the sentence, as faults have it. */
  readonly id: string;
  readonly values?: Readonly<Record<string, string | number>>;
  /** A passkey that was used and that belongs to no user here, as its authenticator names it. */
  readonly unknownPasskey?: string;
}

/**
 * States of an attempt. `identified`: a user was named. From `second_factor` on a first factor was right; in a step-up,
 * whose `factors` are empty, it was right in the session of the browser, as long as that lives. `second_factor`: the
 * user has a second one, which is asked for. `second_factor_setup`: settings demand one, and the user has none.
 * `second_factor_offer`: a second factor is suggested. `change_…`: the password was right, but has to be replaced.
 * `sign_up`: an account will be created when its address is proven; no user was named, and whether the address has an
 * account already changes nothing. There is no state for "signed in": then the browser has a session, and the attempt
 * has ended.
 */
export const signInStates = [
  "unnamed",
  "identified",
  "second_factor",
  "second_factor_setup",
  "second_factor_offer",
  "change_required",
  "change_expired",
  "sign_up",
] as const;
export type SignInState = (typeof signInStates)[number];

/** Whether the user of an attempt in this state has authenticated. */
export const isProvenState = (state: SignInState): boolean =>
  state !== "unnamed" && state !== "identified" && state !== "sign_up";

/**
 * The state machine of the login: the actions, and the states that each is possible in. Any other input returns the
 * browser to the page of its state. Choosing, continuing and removing also need a session of the browser, which decides
 * about them.
 */
const signInActions = {
  enter_name: { from: signInStates },
  enter_password: { from: ["identified"] },
  forget_password: { from: ["identified"] },
  use_passkey: { from: ["unnamed", "identified"] },
  prove_second_factor: { from: ["second_factor"] },
  set_up_second_factor: { from: ["second_factor_setup", "second_factor_offer"] },
  skip_second_factor: { from: ["second_factor_offer"] },
  replace_password: { from: ["change_required", "change_expired"] },
  confirm_sign_up: { from: ["sign_up"] },
  choose_session: { from: signInStates },
  continue_session: { from: signInStates },
  remove_session: { from: signInStates },
} as const satisfies Record<string, { readonly from: readonly SignInState[] }>;
export type SignInAction = keyof typeof signInActions;

/** Returns whether the action is possible in the state. */
export function isPossible(action: SignInAction, state: SignInState): boolean {
  const from: readonly SignInState[] = signInActions[action].from;
  return from.includes(state);
}

/** An attempt that has just begun. */
export const unnamed: SignIn = {
  state: "unnamed",
  loginName: "",
  userId: undefined,
  problem: undefined,
  attemptId: undefined,
  factors: {},
  signInEpoch: undefined,
};

/** Says that an attempt has ended in which the user was established, and offers to begin again. */
export const endedProblem: Problem = { id: "sign_in.ended" };

/** What takes the place of an attempt that has ended: the name is asked for again. */
export const ended: SignIn = { ...unnamed, problem: endedProblem };

/** Returns the epoch of an attempt that goes on after a first factor. Without one it goes no further. */
export const epochOf = ({ signInEpoch }: Pick<SignIn, "signInEpoch">): number => signInEpoch ?? noEpoch;

const noEpoch = -1;
