import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import type { CodeDeps } from "../contact/index.ts";
import { refuseUsedName } from "../login-name/index.ts";
import type { BrowserVisit, Problem, SignInDeps } from "../sign-in/index.ts";
import { beginNewcomer, hasToProve } from "./begin-newcomer.ts";
import { consultScripts } from "./consult-scripts.ts";
import type { ExternalAttempt, ExternalChoices } from "./external-attempt.ts";
import { findPerson } from "./find-person.ts";
import type { Newcomer } from "./newcomer.ts";
import { openSession } from "./open-session.ts";
import { type ExternalOutcome, refusalOf, refuse, scriptFailure } from "./sign-in-externally.ts";

type Deps = SignInDeps & CodeDeps;

/** The choices for an unknown account, and what prevents using the profile that the provider reported. */
export interface ExternalOffer {
  /** Undefined when the account is known by now, or not admitted at all: continuing the sign-in tells which. */
  readonly choices: ExternalChoices | undefined;
  readonly problem: Problem | undefined;
  /** The organization that the page names, because nothing but a link did before. */
  readonly asksFor: string | undefined;
}

/** Returns the choices of the user of an attempt. Changes nothing. */
export async function offerChoices(
  deps: Deps,
  call: Call,
  visit: BrowserVisit,
  attempt: ExternalAttempt,
): Promise<ExternalOffer> {
  const person = await findPerson(deps, call, visit, attempt);
  if ("newIn" in person) {
    const mayLink = attempt.provider.options.isLinkingAllowed;
    const choices = { registerIn: person.newIn, mayLink, isAsked: false };
    return { choices, problem: await findNameProblem(deps, call, choices, attempt), asksFor: undefined };
  }
  if (!("choices" in person)) {
    const asksFor = "userId" in person && person.isAsked ? person.organizationId : undefined;
    return { choices: undefined, problem: undefined, asksFor };
  }
  const { choices } = person;
  const asksFor = choices.isAsked ? choices.registerIn : undefined;
  return { choices, problem: await findNameProblem(deps, call, choices, attempt), asksFor };
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
 * Creates a user for the account of an attempt at the user's request, and signs their browser in. Their input replaces
 * what the provider does not report or what is invalid; an address that they entered is verified by a code. A user who
 * is known by now is signed in. They agreed only to the organization that the page named when they pressed its button
 * (`agreedTo`): where another one has to be named by now, the page asks again.
 */
export async function registerExternally(
  deps: Deps,
  call: Call,
  visit: BrowserVisit,
  {
    attempt: answered,
    newcomer,
    agreedTo,
  }: { readonly attempt: ExternalAttempt; readonly newcomer: Newcomer; readonly agreedTo: string | undefined },
): Promise<ExternalOutcome | { readonly outcome: "invalid"; readonly problem: Problem }> {
  const person = await findPerson(deps, call, visit, answered);
  if ("problem" in person) return refuse(deps, call, visit, answered, refusalOf(person));
  const known = "userId" in person ? person : undefined;
  const newIn = "choices" in person ? person.choices.registerIn : "newIn" in person ? person.newIn : undefined;
  const organizationId = known?.organizationId ?? newIn;
  if (organizationId === undefined) return { outcome: "choice" };
  const isAsked = "choices" in person ? person.choices.isAsked : known?.isAsked === true;
  const isAgreed = agreedTo === organizationId;
  if (isAsked && !isAgreed) return { outcome: "choice" };
  const attempt = await consultScripts(deps, call, visit, { attempt: answered, person, isAgreed });
  if (attempt === undefined) return refuse(deps, call, visit, answered, scriptFailure);
  const settled = known ?? { newIn: organizationId };
  try {
    if ("newIn" in settled) {
      const placed = { ...newcomer, organizationId: settled.newIn, isAgreed };
      if (await hasToProve(deps, call, attempt, placed)) {
        return await beginNewcomer(deps, call, visit, { attempt, newcomer: placed });
      }
    }
    return await openSession(deps, call, visit, { attempt, newcomer, person: settled, isAgreed });
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    // Consumed meanwhile by a resubmission: the state of the attempt tells more.
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

/** Converts an error to a problem at the input that can correct it: the address is the username as well. */
function toProblem({ id, field = "", values }: Fault): Problem {
  if (id === "user.name_unavailable" || id === "user.username_taken") {
    return { field: "email", id: "identity_sign_in.name_taken" };
  }
  if (field === "username") return { field: "email", id: "user.email_invalid" };
  const input = fieldOf[field];
  return { id, values, ...(input !== undefined && { field: input }) };
}
