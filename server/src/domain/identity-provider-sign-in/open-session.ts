import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import type { Tx } from "../../database/index.ts";
import { mayPrepareFor, mayVouchFor } from "../administrator-access/index.ts";
import { holdBrowserAuthRequest } from "../auth-request/index.ts";
import { authorOfAddress, type CodeDeps, widenEmailProof } from "../contact/index.ts";
import { useIntent } from "../identity-provider-intent/index.ts";
import { putIdentityLink, widenIdentityLink } from "../identity-provider-link/index.ts";
import type { PersonChange } from "../script/index.ts";
import { hasCountingFirstFactor, preparationsOfIntent } from "../session/index.ts";
import {
  advance,
  type BrowserVisit,
  decideNext,
  describeAdvance,
  describeVisit,
  endedProblem,
  prepareAdvance,
  type SignInDeps,
  type StepOutcome,
} from "../sign-in/index.ts";
import type { SignInStep } from "../sign-in-attempt/index.ts";
import { askBeforeCreation } from "../sign-up/index.ts";
import { firstSignInEpoch } from "../user/index.ts";
import { accountOf, type ExternalAttempt, type Person } from "./external-attempt.ts";
import { findMatch } from "./find-person.ts";
import { createNewcomer, describeNewcomer, type Newcomer, type NewcomerIn, wordOf } from "./newcomer.ts";
import { takeOver } from "./take-over.ts";

/** The attempt and the user whom it signs in. */
export interface Opening {
  readonly attempt: ExternalAttempt;
  readonly person: Extract<Person, { userId: string } | { newIn: string }>;
  /** For a new user, what a user must have. */
  readonly newcomer: (Newcomer & Pick<NewcomerIn, "provenUserId">) | undefined;
  /** Whether the user agreed on a page that named the organization. */
  readonly isAgreed: boolean;
  /** Step that consumes what permits creating the user; false when it is consumed already. */
  readonly claim?: ((tx: Tx) => Promise<boolean>) | undefined;
}

/**
 * Continues the sign-in of a browser with an attempt, which is consumed: opens the session, or asks for what is
 * missing. Creates the user or the link first, if absent.
 */
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
  // What the provider said counts from when it said it: the answer may have waited on a page.
  const { intentId: answerId, answeredAt, provider } = attempt;
  const { identityProviderId } = provider;
  const factors = { intentCheckedAt: answeredAt, intentId: answerId, identityProviderId };
  const proven = {
    userId: isNew ? "" : person.userId,
    organizationId,
    isNew,
    signInEpoch: isNew ? firstSignInEpoch : person.signInEpoch,
    loginName: username || email,
    factors,
    usesAnswer: true,
    steps: stepsOf({ isNew, identityProviderId }),
    reference: answerId,
  };
  const isWaiting = attempt.answeredAt < call.now;
  if (isWaiting && !(await hasCountingFirstFactor(deps, call, proven)))
    throw new Fault("failed_precondition", endedProblem.id);
  const change = isNew ? await askScripts(deps, call, visit, opening) : undefined;
  const next = await decideNext(deps, call, visit, proven);
  const prepared = await prepareAdvance(deps, call, visit, { proven, next });
  const authRequestId = visit.authRequest?.authRequestId;
  const request = { authRequestId: authRequestId ?? "", browserHash: visit.browserHash };
  const done = await deps.database.change(call, async (tx) => {
    if (authRequestId !== undefined && !(await holdBrowserAuthRequest(tx, request))) return undefined;
    if (opening.claim !== undefined && !(await opening.claim(tx))) return undefined;
    const userId = await settle(tx, deps, call, visit, { ...opening, change });
    const { intentId } = attempt;
    const key = { intentId, browserHash: visit.browserHash };
    const used = await useIntent(tx, { mayPrepareFor, mayVouchFor }, { user: { userId, organizationId }, key });
    const preparedBy = preparationsOfIntent(used);
    const weighed = { ...prepared.next, factors: { ...prepared.next.factors, preparedBy } };
    const made = { ...prepared, proven: { ...proven, userId }, next: weighed };
    const advanced = await advance(tx, deps, made);
    // The request is locked, so it is the user who may no longer be signed in. Nothing of this attempt is kept.
    if (advanced === undefined) throw new Fault("failed_precondition", endedProblem.id);
    return { made, advanced };
  });
  if (done === undefined) return { outcome: "gone" };
  const { userId, loginName } = done.made.proven;
  const input = describeVisit(call, visit, { userId, organizationId, loginName });
  const { signInScripts } = deps;
  if (isNew)
    await signInScripts.afterCreation(call, { userId, organizationId, flow: "external_authentication", input });
  else await signInScripts.remember(call, { userId, organizationId }, attempt.change?.metadata ?? []);
  return describeAdvance(deps, call, done.made, done.advanced);
}

const stepsOf = (of: { readonly isNew: boolean; readonly identityProviderId: string }): SignInStep[] => {
  const { isNew, identityProviderId } = of;
  const passed: SignInStep = { check: "identity_provider", outcome: "passed", identityProviderId };
  return isNew ? [passed, { check: "registration", outcome: "passed" }] : [passed];
};

/** Asks scripts what to change of a new user; undefined where the user is incomplete, which is refused later. */
async function askScripts(
  deps: SignInDeps,
  call: Call,
  visit: BrowserVisit,
  { attempt, person, newcomer, isAgreed }: Opening,
): Promise<PersonChange | undefined> {
  if (!("newIn" in person) || newcomer === undefined) return undefined;
  const described = describeNewcomer(call, attempt, { ...newcomer, organizationId: person.newIn, isAgreed });
  return askBeforeCreation(deps, call, visit, { person: described, flow: "external_authentication" });
}

/**
 * Lets account and address of a user who was created without a question count in the whole instance, once they agreed.
 */
async function widen(
  tx: Tx,
  attempt: ExternalAttempt,
  user: { readonly userId: string; readonly organizationId: string },
): Promise<void> {
  await widenIdentityLink(tx, user, accountOf(attempt));
  const { email: address = "", isEmailVerified } = attempt.identity;
  if (!isEmailVerified) return;
  const former = wordOf(attempt, user.organizationId);
  await widenEmailProof(tx, user, { address, former, proof: wordOf(attempt) });
}

/** Returns the user of the account from now on: linked before, linked now, or created now. */
async function settle(
  tx: Tx,
  deps: CodeDeps,
  call: Call,
  { authRequest }: BrowserVisit,
  { attempt, person, newcomer, isAgreed, change }: Opening & { readonly change: PersonChange | undefined },
): Promise<string> {
  if ("newIn" in person) {
    if (newcomer === undefined) throw new Fault("failed_precondition", "identity_sign_in.profile_incomplete");
    return createNewcomer(tx, deps, call, attempt, { ...newcomer, organizationId: person.newIn, isAgreed, change });
  }
  if (!person.isLinked) {
    // Checked again inside: address, proof or roles of the user may have changed since.
    const match = await findMatch(tx, { instanceId: tx.instanceId, authRequest }, attempt);
    if (match?.userId !== person.userId) throw new Fault("failed_precondition", "identity_intent.provider_unusable");
    // The address was the only proof, so the link is as good as those who named it.
    const author = await authorOfAddress(tx, tx.instanceId, person);
    const link = { ...accountOf(attempt), author, isForNewUser: false, reach: "beside" } as const;
    await putIdentityLink(tx, { mayPrepareFor }, person, link);
  } else if (isAgreed) await widen(tx, attempt, person);
  await takeOver(tx, person.userId, attempt);
  return person.userId;
}
