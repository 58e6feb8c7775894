import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import { newBrowser } from "../../web/index.ts";
import { holdBrowserAuthRequest } from "../auth-request/index.ts";
import { passwordLifetime } from "../session/index.ts";
import { type BrowserVisit, type SignInDeps, type StepOutcome, signIn } from "../sign-in/index.ts";
import { type CodeDeps, insertHuman, type PasswordDeps, prepareHuman, refuseUsedName } from "../user/index.ts";
import { findSignUpPlace } from "./find-sign-up-place.ts";

export interface SignUpDeps extends SignInDeps, PasswordDeps, CodeDeps {}

export interface SignUp {
  /** Where the account will be. */
  readonly organizationId: string;
  readonly givenName: string;
  readonly familyName: string;
  /** The person signs in with it, too. */
  readonly email: string;
  readonly password: string;
  /** For whom the person makes the account, as the message says it. */
  readonly applicationName: string | undefined;
  /** Where the code can be entered, as a template of the outbox. */
  readonly urlTemplate: string;
}

/**
 * Makes an account for whoever asks for one, and signs its browser in. The address has to be proven by the code that is sent to it; until then it
 * is nobody's name but the account's own. Refuses names that anybody of the instance has, because they would mean two people.
 */
export async function signUp(deps: SignUpDeps, call: Call, visit: BrowserVisit, input: SignUp): Promise<StepOutcome> {
  const { organizationId, email } = input;
  if ((await findSignUpPlace(deps, call.instanceId, organizationId)) === undefined) {
    throw new Fault("failed_precondition", "sign_up.closed");
  }
  // Before the hash as well: whoever has an account need not wait for it, and guessing names costs us little.
  await refuseUsedName(deps.database.read, call.instanceId, { organizationId, email });
  const person = await prepareHuman(deps, call, toPerson(call, input));
  const lifetime = await passwordLifetime(deps, call, organizationId);
  const browser = newBrowser(deps.random);
  const authRequestId = visit.authRequest?.authRequestId;
  const signedIn = await deps.database.change(call, async (tx) => {
    const key = { authRequestId: authRequestId ?? "", browserHash: visit.browserHash };
    if (authRequestId !== undefined && !(await holdBrowserAuthRequest(tx, key))) return undefined;
    await refuseUsedName(tx, call.instanceId, { organizationId, email });
    const { userId } = await insertHuman(tx, deps, person);
    const done = await signIn(tx, deps, {
      ...{ userId, organizationId, authRequestId, userAgent: visit.userAgent },
      browser: { from: visit.browserHash, to: browser.hash },
      expiresAt: call.now + lifetime,
    });
    // The request is held, so nobody takes it away; if somebody could, no account would be left behind.
    if (done === undefined) throw new Error("a request that was held is gone");
    return done;
  });
  if (signedIn === undefined) return { outcome: "gone" };
  return { outcome: "signed_in", browser, organizationId, sessionId: signedIn.sessionId };
}

const toPerson = (call: Call, { organizationId, givenName, familyName, email, password, ...message }: SignUp) => ({
  organizationId,
  // Written to from now on in the language in which he made the account.
  profile: { givenName, familyName, preferredLanguage: call.language },
  email: { address: email, verification: { by: "message", ...message } as const },
  password: { password, isChangeRequired: false },
  metadata: [],
});
