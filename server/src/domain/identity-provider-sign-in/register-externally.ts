import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import type { BrowserVisit, Problem, SignInDeps } from "../sign-in/index.ts";
import { type CodeDeps, refuseUsedName } from "../user/index.ts";
import { beginNewcomer, hasToProve } from "./begin-newcomer.ts";
import type { ExternalAttempt, ExternalChoices } from "./external-attempt.ts";
import { findPerson } from "./find-person.ts";
import type { Newcomer } from "./newcomer.ts";
import { openSession } from "./open-session.ts";
import { type ExternalOutcome, refuse } from "./sign-in-externally.ts";

type Deps = SignInDeps & CodeDeps;

/** What somebody unknown may do with an attempt, and what stands in the way of what the provider says of him. */
export type ExternalOffer =
  | { readonly choices: ExternalChoices; readonly problem: Problem | undefined }
  /** Somebody knows him by now, or he may not come in at all: going on tells. */
  | "settled";

/** Looks at what the person of an attempt may choose. Changes nothing. */
export async function offerChoices(
  deps: Deps,
  call: Call,
  visit: BrowserVisit,
  attempt: ExternalAttempt,
): Promise<ExternalOffer> {
  const person = await findPerson(deps, call, visit, attempt);
  if ("newIn" in person) {
    const choices = { registerIn: person.newIn, mayLink: attempt.provider.options.isLinkingAllowed };
    return { choices, problem: await findNameProblem(deps, call, choices, attempt) };
  }
  if (!("choices" in person)) return "settled";
  return { choices: person.choices, problem: await findNameProblem(deps, call, person.choices, attempt) };
}

async function findNameProblem(
  deps: Deps,
  call: Call,
  { registerIn: organizationId }: ExternalChoices,
  attempt: ExternalAttempt,
): Promise<Problem | undefined> {
  const { email } = attempt.identity;
  if (organizationId === undefined || email === undefined) return undefined;
  if (await hasToProve(deps, call, attempt, { organizationId, email })) return undefined;
  try {
    await refuseUsedName(deps.database.read, call.instanceId, { organizationId, email });
    return undefined;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return toProblem(error);
  }
}

/**
 * Makes a user for the account of an attempt because the person asked for it, and signs his browser in. What he entered stands for what the
 * provider does not say, or what cannot be taken; an address of his own is proven by message. Whoever is known by now is signed in.
 */
export async function registerExternally(
  deps: Deps,
  call: Call,
  visit: BrowserVisit,
  { attempt, newcomer }: { readonly attempt: ExternalAttempt; readonly newcomer: Newcomer },
): Promise<ExternalOutcome | { readonly outcome: "invalid"; readonly problem: Problem }> {
  const person = await findPerson(deps, call, visit, attempt);
  if ("problem" in person) return refuse(deps, call, attempt, person.problem.id);
  const newIn = "choices" in person ? person.choices.registerIn : undefined;
  if ("choices" in person && newIn === undefined) return { outcome: "choice" };
  const settled = newIn === undefined && !("choices" in person) ? person : { newIn: newIn ?? "" };
  try {
    if ("newIn" in settled) {
      const somebody = { ...newcomer, organizationId: settled.newIn };
      if (await hasToProve(deps, call, attempt, somebody)) {
        return await beginNewcomer(deps, call, visit, { attempt, newcomer: somebody });
      }
    }
    return await openSession(deps, call, visit, { attempt, newcomer, person: settled });
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    // Used up meanwhile, by the same form: where the attempt stands now tells more.
    if (error.id === "identity_intent.invalid") return { outcome: "choice" };
    return { outcome: "invalid", problem: toProblem(error) };
  }
}

const fieldOf: Readonly<Record<string, string>> = {
  email: "email",
  username: "email",
  "profile.givenName": "given_name",
  "profile.familyName": "family_name",
};

/** What was wrong, at the input that mends it: the address is the username as well. */
function toProblem({ id, field = "", values }: Fault): Problem {
  if (id === "user.name_unavailable" || id === "user.username_taken") {
    return { field: "email", id: "identity_sign_in.name_taken" };
  }
  if (field === "username") return { field: "email", id: "user.email_invalid" };
  const input = fieldOf[field];
  return { id, values, ...(input !== undefined && { field: input }) };
}
