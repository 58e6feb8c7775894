import type { Vault } from "../../base/vault.ts";
import type { Call } from "../../call/index.ts";
import type { Tx } from "../../database/index.ts";
import { holdBrowserAuthRequest } from "../auth-request/index.ts";
import type { Factors } from "../session/index.ts";
import {
  arrive,
  type BrowserVisit,
  decideNext,
  describeArrival,
  prepareArrival,
  type SignInDeps,
  type StepOutcome,
} from "../sign-in/index.ts";
import { insertHuman, type PasswordDeps, type PreparedHuman, refuseUsedName } from "../user/index.ts";

export interface SignUpDeps extends SignInDeps, PasswordDeps {
  readonly vault: Pick<Vault, "encrypt" | "decrypt">;
}

/** What a person says of himself who makes an account. */
export interface SelfMade {
  /** Where the account will be. */
  readonly organizationId: string;
  readonly givenName: string;
  readonly familyName: string;
  /** The person signs in with it, too. */
  readonly email: string;
}

/** How he is told of the code for his address. */
export interface SignUpMessage {
  /** For whom the person makes the account, as the message says it. */
  readonly applicationName: string | undefined;
  /** Where the code can be entered once the account is there, as a template of the outbox. */
  readonly urlTemplate: string;
}

/** The addresses of messages before there is an account. */
export interface SignUpPlaces {
  /** Where the code can be entered before there is an account, as a template of the outbox. */
  readonly confirmTemplate: string;
  /** Where people sign in. */
  readonly signInAddress: string;
}

/** The person as accounts are made; he is written to from now on in the language in which he made his. */
export const toPerson = (
  { language }: Call,
  { organizationId, givenName, familyName, email }: SelfMade,
  { applicationName, urlTemplate }: SignUpMessage,
) => ({
  organizationId,
  profile: { givenName, familyName, preferredLanguage: language },
  email: { address: email, verification: { by: "message", applicationName, urlTemplate } as const },
  metadata: [],
});

export interface NewAccount {
  readonly person: PreparedHuman;
  readonly factors: Factors;
  /** Step that uses up what lets the account be made; false when it is used up already. */
  readonly claim?: ((tx: Tx) => Promise<boolean>) | undefined;
}

/**
 * Makes the account of a person who has proven what `factors` say, and leads his browser on. Everything is one unit of work: an account without a
 * way in, or without the browser that asked for it, is never left behind. `gone`: the request is not this browser's any more, or what lets the account be made
 * is used up.
 */
export async function makeAccount(
  deps: SignUpDeps,
  call: Call,
  visit: BrowserVisit,
  { person, factors, claim }: NewAccount,
): Promise<StepOutcome> {
  const { organizationId, email } = person;
  const proven = { userId: "", organizationId, loginName: email.address, factors, isNew: true };
  const next = await decideNext(deps, call, visit, proven);
  const arrival = await prepareArrival(deps, call, visit, { proven, next });
  const authRequestId = visit.authRequest?.authRequestId;
  const done = await deps.database.change(call, async (tx) => {
    const key = { authRequestId: authRequestId ?? "", browserHash: visit.browserHash };
    if (authRequestId !== undefined && !(await holdBrowserAuthRequest(tx, key))) return undefined;
    if (claim !== undefined && !(await claim(tx))) return undefined;
    await refuseUsedName(tx, call.instanceId, { organizationId, email: email.address });
    const { userId } = await insertHuman(tx, deps, person);
    const made = { ...arrival, proven: { ...proven, userId } };
    const arrived = await arrive(tx, deps, made);
    // The request is held, so nobody takes it away; if somebody could, no account would be left behind.
    if (arrived === undefined) throw new Error("a request that was held is gone");
    return { made, arrived };
  });
  return done === undefined ? { outcome: "gone" } : describeArrival(deps, call, done.made, done.arrived);
}
