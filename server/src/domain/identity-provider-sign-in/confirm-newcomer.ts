import type { Call } from "../../call/index.ts";
import type { Tx } from "../../database/index.ts";
import { type BrowserVisit, type SignIn, type SignInDeps, type StepOutcome, stay } from "../sign-in/index.ts";
import { isRightSignUpCode, openSignUp, redeemSignUpCode, wrongCode } from "../sign-up/index.ts";
import { consultScripts } from "./consult-scripts.ts";
import type { ExternalAttempt } from "./external-attempt.ts";
import { findPerson } from "./find-person.ts";
import { openSession } from "./open-session.ts";

/**
 * Creates a new user from a provider when the code sent to their address is right, and signs their browser in.
 * `changed`: the user may no longer be created there, or exists by now; the state of the attempt tells which. Throws
 * `user.name_unavailable` when the name was taken concurrently.
 */
export async function confirmNewcomer(
  deps: SignInDeps,
  call: Call,
  visit: BrowserVisit,
  {
    signIn,
    attempt: answered,
    code,
  }: { readonly signIn: SignIn; readonly attempt: ExternalAttempt; readonly code: string },
): Promise<StepOutcome | { readonly outcome: "changed" }> {
  const pending = openSignUp(deps, call, signIn);
  if (pending?.proof.by !== "provider") return stay(deps, call, visit, { signIn, problem: wrongCode });
  const person = await findPerson(deps, call, visit, answered);
  const newIn = "choices" in person ? person.choices.registerIn : "newIn" in person ? person.newIn : undefined;
  if (newIn === undefined || newIn !== pending.organizationId) return { outcome: "changed" };
  const { isAgreed = false } = pending.proof;
  if ("choices" in person && person.choices.isAsked && !isAgreed) return { outcome: "changed" };
  if (!(await isRightSignUpCode(deps, call, pending, code))) {
    return stay(deps, call, visit, { signIn, problem: wrongCode });
  }
  const attempt = await consultScripts(deps, call, visit, { attempt: answered, person, isAgreed });
  if (attempt === undefined) return stay(deps, call, visit, { signIn, problem: { id: "execution.failed" } });
  const { givenName, familyName, email, userId: provenUserId } = pending;
  const claim = (tx: Tx): Promise<boolean> => redeemSignUpCode(tx, pending, code);
  const newcomer = { givenName, familyName, email, provenUserId };
  return openSession(deps, call, visit, { attempt, newcomer, person: { newIn }, isAgreed, claim });
}
