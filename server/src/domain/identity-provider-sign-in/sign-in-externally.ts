import { Fault } from "../../base/fault.ts";
import { hashSecret } from "../../base/secret.ts";
import type { Call } from "../../call/index.ts";
import type { Tx } from "../../database/index.ts";
import { newBrowser } from "../../web/index.ts";
import { holdBrowserAuthRequest } from "../auth-request/index.ts";
import { useIntent } from "../identity-provider-intent/index.ts";
import { putIdentityLink } from "../identity-provider-link/index.ts";
import { externalLifetime } from "../session/index.ts";
import { type BrowserVisit, type SignInDeps, type StepOutcome, signIn, stay, unnamed } from "../sign-in/index.ts";
import type { CodeDeps } from "../user/index.ts";
import { accountOf, type ExternalAttempt, type Person } from "./external-attempt.ts";
import { findPerson } from "./find-person.ts";
import { createNewcomer, readNewcomer } from "./newcomer.ts";
import { takeOver } from "./take-over.ts";

/** Signs a browser in by an attempt that succeeded, or stays at the beginning and says why not. */
export async function signInExternally(
  deps: SignInDeps & CodeDeps,
  call: Call,
  visit: BrowserVisit,
  attempt: ExternalAttempt,
): Promise<StepOutcome> {
  const person = await findPerson(deps, call, visit, attempt);
  if ("problem" in person) return stay(deps, call, visit, { at: unnamed, problem: person.problem });
  try {
    return await open(deps, call, visit, { attempt, person });
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const id = error.id === "user.name_unavailable" ? "identity_sign_in.name_taken" : error.id;
    return stay(deps, call, visit, { at: unnamed, problem: { id, values: error.values } });
  }
}

interface Opening {
  readonly attempt: ExternalAttempt;
  readonly person: Exclude<Person, { problem: unknown }>;
}

async function open(
  deps: SignInDeps & CodeDeps,
  call: Call,
  visit: BrowserVisit,
  { attempt, person }: Opening,
): Promise<StepOutcome> {
  const organizationId = "newIn" in person ? person.newIn : person.organizationId;
  const browser = newBrowser(deps.random);
  const lifetime = await externalLifetime(deps, call, organizationId);
  const authRequestId = visit.authRequest?.authRequestId;
  const key = { authRequestId: authRequestId ?? "", browserHash: visit.browserHash };
  const signedIn = await deps.database.change(call, async (tx) => {
    if (authRequestId !== undefined && !(await holdBrowserAuthRequest(tx, key))) return undefined;
    const userId = await settle(tx, deps, call, { attempt, person });
    const presented = { intentId: attempt.intentId, tokenHash: hashSecret(attempt.token) };
    await useIntent(tx, { user: { userId, organizationId }, ...presented });
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
async function settle(tx: Tx, deps: CodeDeps, call: Call, { attempt, person }: Opening): Promise<string> {
  if ("newIn" in person) {
    const said = readNewcomer(attempt);
    if (said === undefined) throw new Fault("failed_precondition", "identity_sign_in.profile_incomplete");
    return createNewcomer(tx, deps, call, attempt, { ...said, organizationId: person.newIn });
  }
  if (!person.isLinked) await putIdentityLink(tx, person, { ...accountOf(attempt), isForNewUser: false });
  await takeOver(tx, person.userId, attempt);
  return person.userId;
}
