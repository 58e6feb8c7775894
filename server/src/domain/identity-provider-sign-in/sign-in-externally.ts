import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import type { CodeDeps } from "../contact/index.ts";
import { refuseIntent } from "../identity-provider-intent/index.ts";
import type { BrowserVisit, Problem, SignInDeps, StepOutcome } from "../sign-in/index.ts";
import { beginNewcomer, hasToProve } from "./begin-newcomer.ts";
import { consultScripts, organizationOf } from "./consult-scripts.ts";
import type { ExternalAttempt, Person } from "./external-attempt.ts";
import { findPerson } from "./find-person.ts";
import { readNewcomer } from "./newcomer.ts";
import { openSession } from "./open-session.ts";
import { type RefusedAttempt, recordRefusal } from "./record-refusal.ts";

/** What became of an attempt that succeeded at the provider. */
export type ExternalOutcome =
  | StepOutcome
  /** The account is unknown here, or known only to an organization that nothing but a link names: the user decides. */
  | { readonly outcome: "choice" }
  /** It cannot sign the user in; the attempt has the reason. */
  | { readonly outcome: "refused" };

/**
 * Signs a browser in with an attempt that succeeded at the provider. If that is impossible, the attempt is ended with a
 * reason.
 */
export async function signInExternally(
  deps: SignInDeps & CodeDeps,
  call: Call,
  visit: BrowserVisit,
  answered: ExternalAttempt,
): Promise<ExternalOutcome> {
  const found = await findPerson(deps, call, visit, answered);
  if ("problem" in found) return refuse(deps, call, visit, answered, refusalOf(found));
  const consulted = await consultScripts(deps, call, visit, { attempt: answered, person: found });
  if (consulted === undefined) return refuse(deps, call, visit, answered, scriptFailure);
  // Scripts may have completed what a new user needs.
  const person = "choices" in found ? await findPerson(deps, call, visit, consulted) : found;
  if ("problem" in person) return refuse(deps, call, visit, answered, refusalOf(person));
  // While they ran, the account may have become that of a user elsewhere: then only scripts of there have a say.
  const isTheirs = consulted.change !== undefined && organizationOf(person) === organizationOf(found);
  const attempt = isTheirs ? consulted : await consultScripts(deps, call, visit, { attempt: answered, person });
  if (attempt === undefined) return refuse(deps, call, visit, answered, scriptFailure);
  if ("choices" in person || ("userId" in person && person.isAsked)) return { outcome: "choice" };
  try {
    const newcomer = readNewcomer(attempt);
    if ("newIn" in person && newcomer !== undefined) {
      const placed = { ...newcomer, organizationId: person.newIn, isAgreed: false };
      if (await hasToProve(deps, call, attempt, placed)) {
        return await beginNewcomer(deps, call, visit, { attempt, newcomer: placed });
      }
    }
    return await openSession(deps, call, visit, { attempt, person, newcomer, isAgreed: false });
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    if (error.id === "execution.failed") return refuse(deps, call, visit, attempt, { failure: error.id });
    // A new user can correct the problem: with another address, or an existing account.
    return "newIn" in person ? { outcome: "choice" } : refuse(deps, call, visit, attempt, { failure: error.id });
  }
}

export const scriptFailure = { failure: "execution.failed" } as const;

export const refusalOf = ({ problem, user }: Extract<Person, { problem: Problem }>) => ({ failure: problem.id, user });

/** Ends an attempt that cannot sign the user in, and tells administrators why. */
export async function refuse(
  deps: Pick<SignInDeps, "database" | "budgets" | "newId">,
  call: Call,
  visit: BrowserVisit,
  { intentId, provider }: Pick<ExternalAttempt, "intentId" | "provider">,
  { failure, user }: Pick<RefusedAttempt, "failure" | "user">,
): Promise<ExternalOutcome> {
  await deps.database.change(call, (tx) => refuseIntent(tx, intentId, failure));
  await recordRefusal(deps, call, visit, { intentId, provider, failure, user });
  return { outcome: "refused" };
}
