import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import type { Tx } from "../../database/index.ts";
import { holdBrowserAuthRequest } from "../auth-request/index.ts";
import { useIntent } from "../identity-provider-intent/index.ts";
import { putIdentityLink } from "../identity-provider-link/index.ts";
import {
  arrive,
  type BrowserVisit,
  decideNext,
  describeArrival,
  prepareArrival,
  type SignInDeps,
  type StepOutcome,
} from "../sign-in/index.ts";
import type { CodeDeps } from "../user/index.ts";
import { accountOf, type ExternalAttempt, type Person } from "./external-attempt.ts";
import { createNewcomer, type Newcomer, type NewcomerIn } from "./newcomer.ts";
import { takeOver } from "./take-over.ts";

/** By which attempt who is signed in. */
export interface Opening {
  readonly attempt: ExternalAttempt;
  readonly person: Extract<Person, { userId: string } | { newIn: string }>;
  /** Of somebody new, what he cannot be without. */
  readonly newcomer: (Newcomer & Pick<NewcomerIn, "provenUserId">) | undefined;
  /** Step that uses up what lets the user be made; false when it is used up already. */
  readonly claim?: ((tx: Tx) => Promise<boolean>) | undefined;
}

/** Leads a browser on by an attempt, which this uses up: to its session, or to what is still asked for; makes the user or the tie before, where there is none. */
export async function openSession(
  deps: SignInDeps & CodeDeps,
  call: Call,
  visit: BrowserVisit,
  opening: Opening,
): Promise<StepOutcome> {
  const { attempt, person } = opening;
  const isNew = "newIn" in person;
  const organizationId = isNew ? person.newIn : person.organizationId;
  const { username = "", email = "" } = attempt.identity;
  const proven = {
    ...{ userId: isNew ? "" : person.userId, organizationId, isNew },
    ...{ loginName: username || email, factors: { intentCheckedAt: call.now } },
  };
  const next = await decideNext(deps, call, visit, proven);
  const arrival = await prepareArrival(deps, call, visit, { proven, next });
  const authRequestId = visit.authRequest?.authRequestId;
  const key = { authRequestId: authRequestId ?? "", browserHash: visit.browserHash };
  const done = await deps.database.change(call, async (tx) => {
    if (authRequestId !== undefined && !(await holdBrowserAuthRequest(tx, key))) return undefined;
    if (opening.claim !== undefined && !(await opening.claim(tx))) return undefined;
    const userId = await settle(tx, deps, call, opening);
    const { intentId } = attempt;
    await useIntent(tx, { user: { userId, organizationId }, key: { intentId, browserHash: visit.browserHash } });
    const made = { ...arrival, proven: { ...proven, userId } };
    const arrived = await arrive(tx, deps, made);
    // The request is held, so nobody takes it away; if somebody could, nothing of this would be left behind.
    if (arrived === undefined) throw new Error("a request that was held is gone");
    return { made, arrived };
  });
  return done === undefined ? { outcome: "gone" } : describeArrival(deps, call, done.made, done.arrived);
}

/** The user of the account from now on: who he was, who is tied to it, or who is made for it. */
async function settle(tx: Tx, deps: CodeDeps, call: Call, { attempt, person, newcomer }: Opening): Promise<string> {
  if ("newIn" in person) {
    if (newcomer === undefined) throw new Fault("failed_precondition", "identity_sign_in.profile_incomplete");
    return createNewcomer(tx, deps, call, attempt, { ...newcomer, organizationId: person.newIn });
  }
  if (!person.isLinked) await putIdentityLink(tx, person, { ...accountOf(attempt), isForNewUser: false });
  await takeOver(tx, person.userId, attempt);
  return person.userId;
}
