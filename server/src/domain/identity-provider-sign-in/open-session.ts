import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import type { Tx } from "../../database/index.ts";
import { newBrowser } from "../../web/index.ts";
import { holdBrowserAuthRequest } from "../auth-request/index.ts";
import { useIntent } from "../identity-provider-intent/index.ts";
import { putIdentityLink } from "../identity-provider-link/index.ts";
import { externalLifetime } from "../session/index.ts";
import { type BrowserVisit, type SignInDeps, type StepOutcome, signIn } from "../sign-in/index.ts";
import type { CodeDeps } from "../user/index.ts";
import { accountOf, type ExternalAttempt, type Person } from "./external-attempt.ts";
import { createNewcomer, type Newcomer } from "./newcomer.ts";
import { takeOver } from "./take-over.ts";

/** By which attempt who is signed in. */
export interface Opening {
  readonly attempt: ExternalAttempt;
  readonly person: Extract<Person, { userId: string } | { newIn: string }>;
  /** Of somebody new, what he cannot be without. */
  readonly newcomer: Newcomer | undefined;
}

/** Opens a session of the browser by an attempt, which this uses up; makes the user or the tie before, where there is none. */
export async function openSession(
  deps: SignInDeps & CodeDeps,
  call: Call,
  visit: BrowserVisit,
  opening: Opening,
): Promise<StepOutcome> {
  const { attempt, person } = opening;
  const organizationId = "newIn" in person ? person.newIn : person.organizationId;
  const browser = newBrowser(deps.random);
  const lifetime = await externalLifetime(deps, call, organizationId);
  const authRequestId = visit.authRequest?.authRequestId;
  const key = { authRequestId: authRequestId ?? "", browserHash: visit.browserHash };
  const signedIn = await deps.database.change(call, async (tx) => {
    if (authRequestId !== undefined && !(await holdBrowserAuthRequest(tx, key))) return undefined;
    const userId = await settle(tx, deps, call, opening);
    const { intentId } = attempt;
    await useIntent(tx, { user: { userId, organizationId }, key: { intentId, browserHash: visit.browserHash } });
    const done = await signIn(tx, deps, {
      ...{ userId, organizationId, authRequestId, userAgent: visit.userAgent, factor: "intent" },
      browser: { from: visit.browserHash, to: browser.hash },
      expiresAt: call.now + lifetime,
    });
    // The request is held, so nobody takes it away; if somebody could, nothing of this would be left behind.
    if (done === undefined) throw new Error("a request that was held is gone");
    return done;
  });
  if (signedIn === undefined) return { outcome: "gone" };
  return { outcome: "signed_in", browser, organizationId, sessionId: signedIn.sessionId };
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
