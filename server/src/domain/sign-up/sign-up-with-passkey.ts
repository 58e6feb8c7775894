import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import { refuseForeignName, refuseUsedName } from "../login-name/index.ts";
import { loginSettingsOf } from "../settings/index.ts";
import type { BrowserVisit, StepOutcome } from "../sign-in/index.ts";
import { checkNewPerson, prepareHuman } from "../user-management/index.ts";
import {
  insertPasskey,
  keyRefused,
  type NewCredentialDeps,
  type PasskeyOfNewcomer,
  readNewCredential,
  startPasskeyOfNewcomer,
  type UntrustedCredential,
} from "../webauthn-key/index.ts";
import { beginSignUp, findFormerSignUp } from "./begin-sign-up.ts";
import { allowsPasskeySignUp, findSignUpOrganization } from "./find-sign-up-organization.ts";
import { hidesTakenNames } from "./hides-taken-names.ts";
import {
  makeAccount,
  type SelfMade,
  type SignUpAddresses,
  type SignUpDeps,
  type SignUpMessage,
  toPerson,
} from "./make-account.ts";

/** A passkey that is to be created, and the id of its future account. */
export interface StartedSignUp extends PasskeyOfNewcomer {
  readonly userId: string;
}

/**
 * Begins an account with a passkey in place of a password: returns what the browser is to ask for. Nothing is stored
 * about the user, so an abandoned sign-up leaves nothing behind.
 */
export async function startSignUpWithPasskey(
  deps: SignUpDeps,
  call: Call,
  { host, person }: { readonly host: string; readonly person: SelfMade },
): Promise<StartedSignUp> {
  const { organizationId, email } = person;
  await demandOpen(deps, call, organizationId);
  await demandName(deps, call, person);
  const { displayName } = checkNewPerson({ email, profile: person });
  const userId = deps.newId();
  const user = { userId, preferredLoginName: email, displayName };
  return { userId, ...(await startPasskeyOfNewcomer(deps, call, { user, domain: host })) };
}

export interface SignUpWithPasskey extends SelfMade, SignUpMessage, SignUpAddresses {
  readonly started: Pick<StartedSignUp, "userId" | "credentialId" | "relyingPartyId">;
  /** What `navigator.credentials.create()` returned. */
  readonly credential: UntrustedCredential;
  /** Name by which the user will recognize the passkey. */
  readonly passkeyName: string;
}

/**
 * Creates the account with the passkey that was made for it, now or when its address is proven; the rest is as with a
 * password (`signUp`).
 */
export async function signUpWithPasskey(
  deps: SignUpDeps & NewCredentialDeps,
  call: Call,
  visit: BrowserVisit,
  input: SignUpWithPasskey,
): Promise<StepOutcome> {
  const { organizationId, email, started, credential, passkeyName: name } = input;
  const { userId, credentialId, relyingPartyId } = started;
  await demandOpen(deps, call, organizationId);
  await demandName(deps, call, input);
  const { made } = (await readNewCredential(deps, call, { credential, kind: "passkey" }, started)) ?? {};
  const isHidden = await hidesTakenNames(deps, call, organizationId);
  if (made === undefined) {
    // Sent twice: the first submission of the answer has made the account wait.
    const former = isHidden ? await findFormerSignUp(deps, call, visit) : undefined;
    if (former?.pending?.userId === userId) return { outcome: "next", browser: undefined };
    throw keyRefused();
  }
  const passkey = { credentialId, relyingPartyId, name, made };
  if (isHidden) {
    const { givenName, familyName, applicationName, confirmTemplate: urlTemplate, signInAddress } = input;
    const self = { organizationId, email, givenName, familyName, applicationName, urlTemplate };
    const proof = { by: "passkey", passkey } as const;
    const pending = { ...self, userId, language: call.language, proof, begunAt: call.now };
    for (;;) {
      const former = await findFormerSignUp(deps, call, visit);
      const begun = await beginSignUp(deps, call, visit, { pending, signInAddress, former });
      if (begun.outcome !== "raced") return begun;
    }
  }
  const person = await prepareHuman(deps, call, {
    ...toPerson(call, input, input),
    userId,
    hasOtherSignInMethod: true,
    complete: (tx, user) => insertPasskey(tx, user, passkey),
  });
  // The authenticator had to verify the user.
  const factors = { webAuthNCheckedAt: call.now, isUserVerified: true };
  return makeAccount(deps, call, visit, { person, factors });
}

/** Refuses names that a new user cannot have; a taken name only where the settings allow to reveal it. */
async function demandName(deps: SignUpDeps, call: Call, { organizationId, email }: SelfMade): Promise<void> {
  const isHidden = await hidesTakenNames(deps, call, organizationId);
  await (isHidden ? refuseForeignName : refuseUsedName)(deps.database.read, call.instanceId, { organizationId, email });
}

async function demandOpen(deps: SignUpDeps, { instanceId }: Call, organizationId: string): Promise<void> {
  const organization = await findSignUpOrganization(deps, instanceId, organizationId);
  const settings = await loginSettingsOf(deps, { instanceId }, { organizationId });
  if (organization === undefined) throw new Fault("failed_precondition", "sign_up.closed");
  if (!allowsPasskeySignUp(settings)) throw new Fault("failed_precondition", "sign_in.passkeys_not_allowed");
}
