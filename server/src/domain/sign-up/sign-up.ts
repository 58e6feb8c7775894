import { Fault } from "../../base/fault.ts";
import type { Vault } from "../../base/vault.ts";
import type { Call } from "../../call/index.ts";
import { holdBrowserAuthRequest } from "../auth-request/index.ts";
import {
  arrive,
  type BrowserVisit,
  decideNext,
  describeArrival,
  prepareArrival,
  type SignInDeps,
  type StepOutcome,
} from "../sign-in/index.ts";
import { insertHuman, type PasswordDeps, prepareHuman, refuseUsedName } from "../user/index.ts";
import { findSignUpPlace } from "./find-sign-up-place.ts";

export interface SignUpDeps extends SignInDeps, PasswordDeps {
  readonly vault: Pick<Vault, "encrypt" | "decrypt">;
}

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
  const factors = { passwordCheckedAt: call.now };
  const proven = { userId: "", organizationId, loginName: email, factors, isNew: true };
  const next = await decideNext(deps, call, visit, proven);
  const arrival = await prepareArrival(deps, call, visit, { proven, next });
  const authRequestId = visit.authRequest?.authRequestId;
  const done = await deps.database.change(call, async (tx) => {
    const key = { authRequestId: authRequestId ?? "", browserHash: visit.browserHash };
    if (authRequestId !== undefined && !(await holdBrowserAuthRequest(tx, key))) return undefined;
    await refuseUsedName(tx, call.instanceId, { organizationId, email });
    const { userId } = await insertHuman(tx, deps, person);
    const made = { ...arrival, proven: { ...proven, userId } };
    const arrived = await arrive(tx, deps, made);
    // The request is held, so nobody takes it away; if somebody could, no account would be left behind.
    if (arrived === undefined) throw new Error("a request that was held is gone");
    return { made, arrived };
  });
  return done === undefined ? { outcome: "gone" } : describeArrival(deps, call, done.made, done.arrived);
}

const toPerson = (call: Call, { organizationId, givenName, familyName, email, password, ...message }: SignUp) => ({
  organizationId,
  // Written to from now on in the language in which he made the account.
  profile: { givenName, familyName, preferredLanguage: call.language },
  email: { address: email, verification: { by: "message", ...message } as const },
  password: { password, isChangeRequired: false },
  metadata: [],
});
