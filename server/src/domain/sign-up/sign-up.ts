import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import { refuseForeignName, refuseUsedName } from "../login-name/index.ts";
import { payForHash, preparePassword } from "../password/index.ts";
import type { BrowserVisit, StepOutcome } from "../sign-in/index.ts";
import { checkNewPerson } from "../user-management/index.ts";
import { beginSignUp, findFormerSignUp, isSamePerson } from "./begin-sign-up.ts";
import { findSignUpOrganization } from "./find-sign-up-organization.ts";
import { hidesTakenNames } from "./hides-taken-names.ts";
import {
  makeAccount,
  type SelfMade,
  type SignUpAddresses,
  type SignUpDeps,
  type SignUpMessage,
  toPerson,
} from "./make-account.ts";
import type { PendingSignUp } from "./pending-sign-up.ts";

export interface SignUp extends SelfMade, SignUpMessage, SignUpAddresses {
  readonly password: string;
}

/**
 * Creates an account by self-registration. Where the settings hide which names exist, it waits until its address is
 * proven (`confirmSignUp`), and a taken address waits in the same way. Elsewhere the browser is signed in at once and
 * the address is proven later; names of any user in the instance are refused, because they would be ambiguous.
 */
export async function signUp(deps: SignUpDeps, call: Call, visit: BrowserVisit, input: SignUp): Promise<StepOutcome> {
  const { organizationId, email } = input;
  if ((await findSignUpOrganization(deps, call.instanceId, organizationId)) === undefined) {
    throw new Fault("failed_precondition", "sign_up.closed");
  }
  const person = toPerson(call, input, input);
  const isHidden = await hidesTakenNames(deps, call, organizationId);
  // Before the hash as well: guessing names then costs us little.
  await (isHidden ? refuseForeignName : refuseUsedName)(deps.database.read, call.instanceId, { organizationId, email });
  if (isHidden) return waitForProof(deps, call, visit, input);
  const password = await prepare(deps, call, input);
  return makeAccount(deps, call, visit, { person: { ...person, password }, factors: { passwordCheckedAt: call.now } });
}

const prepare = (deps: SignUpDeps, call: Call, { organizationId, email, password, ...names }: SignUp) => {
  const owner = { organizationId, username: email, email: { address: email }, profile: names };
  return preparePassword(deps, call, owner, { password, isChangeRequired: false });
};

/** A form that is sent twice makes one account wait: the code of the first submission stays valid. */
async function waitForProof(deps: SignUpDeps, call: Call, visit: BrowserVisit, input: SignUp): Promise<StepOutcome> {
  const { organizationId, email, givenName, familyName, applicationName, confirmTemplate, signInAddress } = input;
  checkNewPerson({ email, profile: { givenName, familyName } });
  const { hash: passwordHash } = await prepare(deps, call, input);
  const proof = { by: "password", passwordHash } as const;
  const self = { organizationId, email, givenName, familyName, applicationName, urlTemplate: confirmTemplate };
  const pending = { ...self, userId: deps.newId(), language: call.language, proof, begunAt: call.now };
  for (;;) {
    const former = await findFormerSignUp(deps, call, visit);
    if (await isResubmission(deps, call, former?.pending, input)) return { outcome: "next", browser: undefined };
    const begun = await beginSignUp(deps, call, visit, { pending, signInAddress, former });
    if (begun.outcome !== "raced") return begun;
  }
}

async function isResubmission(
  { passwordHasher }: SignUpDeps,
  call: Call,
  former: PendingSignUp | undefined,
  input: SignUp,
): Promise<boolean> {
  if (former?.proof.by !== "password" || !isSamePerson(former, input)) return false;
  const { passwordHash } = former.proof;
  const verify = () => passwordHasher.verify(input.password, passwordHash);
  return (await payForHash(call, input.organizationId, verify)).matches;
}
