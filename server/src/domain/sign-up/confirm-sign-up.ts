import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import type { Tx } from "../../database/index.ts";
import { loginSettingsOf } from "../settings/index.ts";
import { type BrowserVisit, type SignIn, type StepOutcome, stay } from "../sign-in/index.ts";
import type { PreparedHuman } from "../user-management/index.ts";
import { insertPasskey } from "../webauthn-key/index.ts";
import { allowsPasskeySignUp, findSignUpOrganization } from "./find-sign-up-organization.ts";
import { makeAccount, type SignUpDeps } from "./make-account.ts";
import { openSignUp, type PendingSignUp } from "./pending-sign-up.ts";
import { isRightSignUpCode, redeemSignUpCode, wrongCode } from "./sign-up-code.ts";

/**
 * Creates the account that waits, when the code of the message to its address is right, and signs its browser in as an
 * immediate creation does. Only the browser that began can do so: a reader of the message elsewhere cannot activate
 * another person's password or passkey.
 *
 * Throws the Faults `sign_up.closed`, `sign_in.passkeys_not_allowed`, and `user.name_unavailable` when the name was
 * taken meanwhile.
 */
export async function confirmSignUp(
  deps: SignUpDeps,
  call: Call,
  visit: BrowserVisit,
  { signIn, code }: { readonly signIn: SignIn; readonly code: string },
): Promise<StepOutcome> {
  const pending = openSignUp(deps, call, signIn);
  if (pending === undefined || pending.proof.by === "provider") {
    return stay(deps, call, visit, { signIn, problem: wrongCode });
  }
  await demandStillOpen(deps, call, pending);
  if (!(await isRightSignUpCode(deps, call, pending, code))) {
    return stay(deps, call, visit, { signIn, problem: wrongCode });
  }
  // What was proven at the beginning counts from the creation of the account that it belongs to.
  const now = call.now;
  const factors =
    pending.proof.by === "password"
      ? { passwordCheckedAt: now }
      : { webAuthNCheckedAt: now, isUserVerified: true as const };
  const claim = (tx: Tx): Promise<boolean> => redeemSignUpCode(tx, pending, code);
  return makeAccount(deps, call, visit, { person: toProvenPerson(pending), factors, claim });
}

/** Returns the user as created now: the code has proven the address. */
function toProvenPerson({
  userId,
  organizationId,
  givenName,
  familyName,
  email,
  language,
  proof,
}: PendingSignUp): PreparedHuman {
  return {
    userId,
    organizationId,
    profile: { givenName, familyName, preferredLanguage: language },
    email: { address: email, verification: { by: "trust", proof: { by: "code" } } },
    metadata: [],
    password: proof.by === "password" ? { hash: proof.passwordHash, isChangeRequired: false } : undefined,
    ...(proof.by === "passkey" && {
      hasOtherSignInMethod: true,
      complete: (tx, user) => insertPasskey(tx, user, proof.passkey),
    }),
  };
}

async function demandStillOpen(
  deps: SignUpDeps,
  { instanceId }: Call,
  { organizationId, proof }: PendingSignUp,
): Promise<void> {
  if ((await findSignUpOrganization(deps, instanceId, organizationId)) === undefined) {
    throw new Fault("failed_precondition", "sign_up.closed");
  }
  const settings = await loginSettingsOf(deps, { instanceId }, { organizationId });
  if (proof.by === "passkey" && !allowsPasskeySignUp(settings)) {
    throw new Fault("failed_precondition", "sign_in.passkeys_not_allowed");
  }
}
