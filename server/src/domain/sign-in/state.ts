import type { Factors } from "../session/index.ts";

/** A person on the way through the hosted login. */
export interface SignIn {
  readonly state: SignInState;
  /** As it was typed; empty while nobody was named. */
  readonly loginName: string;
  /** Undefined for a name that nobody has: the way goes on like any other and never arrives. */
  readonly userId: string | undefined;
  readonly problem: Problem | undefined;
  /** Codes and challenges are made for this way alone; undefined before there could be any. */
  readonly wayId: string | undefined;
  /** What was checked on the way so far. Empty in the states before a first factor was. */
  readonly factors: Factors;
  /** In the state `sign_up`: the account that waits, sealed under the way. */
  readonly sealedSignUp?: string | undefined;
}

/** Whose way it is. */
export interface SignInKey {
  readonly browserHash: string;
  /** Absent when no application waits. */
  readonly authRequestId: string | undefined;
}

/** What was wrong with the last step. */
export interface Problem {
  /** Input of the form that has to be mended; absent when it is about the whole. */
  readonly field?: string;
  /** Slug of the sentence, as faults have it. */
  readonly id: string;
  readonly values?: Readonly<Record<string, string | number>>;
  /** A passkey that was used and that nobody has here, as its authenticator names it. */
  readonly unknownPasskey?: string;
}

/**
 * Where somebody can be on the way. `identified`: somebody was named. From `second_factor` on a first factor was right. `second_factor`: the person
 * has a second one, which is asked for. `second_factor_setup`: settings demand one, and the person has none. `second_factor_offer`: a second factor
 * is suggested. `change_…`: the password was right, but has to be replaced. `sign_up`: an account will be made when its address is proven; nobody was
 * named, and whether the address has an account already changes nothing. There is no state for "signed in": then the browser has a session, and the
 * way has ended.
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

/**
 * What can be done on the way, and where: the state machine of the login. Everything else that a browser sends leads back to the step it is at.
 * Choosing, continuing and removing need a session of the browser besides, and that decides about them.
 */
export const signInActions = {
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

/** Whether the action is possible in the state. */
export function isPossible(action: SignInAction, state: SignInState): boolean {
  const from: readonly SignInState[] = signInActions[action].from;
  return from.includes(state);
}

/** The way of somebody who has not set out yet. */
export const unnamed: SignIn = {
  ...{ state: "unnamed", loginName: "", userId: undefined, problem: undefined },
  ...{ wayId: undefined, factors: {} },
};
