import type { Call } from "../../call/index.ts";
import { refuseForeignName } from "../login-name/index.ts";
import type { BrowserVisit, SignInDeps, StepOutcome } from "../sign-in/index.ts";
import { beginSignUp, findFormerSignUp, hidesTakenNames, isSamePerson } from "../sign-up/index.ts";
import { checkNewPerson } from "../user-management/index.ts";
import type { ExternalAttempt } from "./external-attempt.ts";
import { isProvenBy, isVouchedForByScripts, type NewcomerIn } from "./newcomer.ts";

/**
 * Whether the address of a new user must be verified before the user is created, so that it is not disclosed whether
 * the address has an account. That is so where the settings hide it and the provider does not vouch for the address. An
 * address that the provider vouches for is disclosed only to its owner.
 */
export const hasToProve = async (
  deps: SignInDeps,
  call: Call,
  attempt: ExternalAttempt,
  { organizationId, email }: Pick<NewcomerIn, "organizationId" | "email">,
): Promise<boolean> =>
  !isProvenBy(attempt, email) &&
  !isVouchedForByScripts(attempt, email) &&
  (await hidesTakenNames(deps, call, organizationId));

/**
 * Makes a new user wait for the verification of their address (`beginSignUp`); the attempt stays open until then.
 * Throws for an invalid name or address.
 */
export async function beginNewcomer(
  deps: SignInDeps,
  call: Call,
  visit: BrowserVisit,
  { attempt, newcomer }: { readonly attempt: ExternalAttempt; readonly newcomer: NewcomerIn },
): Promise<StepOutcome> {
  const { organizationId, givenName, familyName, email, isAgreed } = newcomer;
  const { intentId, applicationName, confirmTemplate: urlTemplate, signInAddress } = attempt;
  checkNewPerson({ email, profile: { givenName, familyName } });
  await refuseForeignName(deps.database.read, call.instanceId, { organizationId, email });
  const self = { organizationId, givenName, familyName, email, applicationName, urlTemplate };
  const proof = { by: "provider", intentId, isAgreed } as const;
  const pending = { ...self, userId: deps.newId(), language: call.language, proof, begunAt: call.now };
  for (;;) {
    const former = await findFormerSignUp(deps, call, visit);
    const of = former?.pending;
    // A resubmission: the code of the first submission stays valid.
    const isSame = of?.proof.by === "provider" && of.proof.intentId === intentId && of.proof.isAgreed === isAgreed;
    if (isSame && isSamePerson(of, newcomer)) return { outcome: "next", browser: undefined };
    const begun = await beginSignUp(deps, call, visit, { pending, signInAddress, former });
    if (begun.outcome !== "raced") return begun;
  }
}
